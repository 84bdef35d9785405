/// The columns of a statement's current row, by position.
///
/// It is for statements that return very many rows.
package protocol SQLColumns {
    /// Returns an integer; `nil` for NULL or another type.
    func integer(_ place: Int) -> Int64?
    /// Returns a text; `nil` for NULL or another type.
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
