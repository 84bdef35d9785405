/// The columns of the current row of a statement's result, read by position.
///
/// Statements that return very many rows use this protocol, because look-ups by name would cost too much.
package protocol SQLColumns {
    /// Returns the integer in the column at a position, counted from 0; `nil` for NULL or another type.
    func integer(_ place: Int) -> Int64?
    /// Returns the text in the column at a position, counted from 0; `nil` for NULL or another type.
    func text(_ place: Int) -> String?
}

extension SQLRow: SQLColumns {
    package func integer(_ place: Int) -> Int64? { value(at: place) }
    package func text(_ place: Int) -> String? { value(at: place) }
}

extension SQLConnection {
    package func forEachRow(
        _ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void
    ) throws {
        for row in try rows(sql, arguments) { try body(row) }
    }
}
