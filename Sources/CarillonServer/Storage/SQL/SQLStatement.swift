/// A statement in SQL, with the values for its question marks.
struct SQLStatement: Hashable, Sendable {
    var sql: String
    var arguments = SQLArguments()
}
