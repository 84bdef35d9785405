/// A condition in SQL, with the values of its question marks.
typealias SQLCondition = (sql: String, arguments: SQLArguments)
