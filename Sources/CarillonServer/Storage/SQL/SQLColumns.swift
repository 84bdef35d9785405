/// The columns of the row at which a statement stands, by their places: for statements that return very many rows.
package protocol SQLColumns {
    /// `nil` where it is NULL, or no integer.
    func integer(_ place: Int) -> Int64?
    /// `nil` where it is NULL, or no text.
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
