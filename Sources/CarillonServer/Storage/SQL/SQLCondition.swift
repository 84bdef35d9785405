/// A condition in SQL, with the values for its question marks.
typealias SQLCondition = (sql: String, arguments: SQLArguments)
