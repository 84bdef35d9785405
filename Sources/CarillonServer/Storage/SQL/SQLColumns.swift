/// The columns of the row at which a statement stands, by their places: for statements that return very many rows.
protocol SQLColumns {
    /// `nil` where it is NULL, or no integer.
    func integer(_ place: Int) -> Int64?
    /// `nil` where it is NULL, or no text.
    func text(_ place: Int) -> String?
}

extension SQLRow: SQLColumns {
    func integer(_ place: Int) -> Int64? { value(at: place) }
    func text(_ place: Int) -> String? { value(at: place) }
}

extension SQLConnection {
    func forEachRow(
        _ sql: String, _ arguments: SQLArguments, _ body: (any SQLColumns) throws -> Void
    ) throws {
        for row in try rows(sql, arguments) { try body(row) }
    }
}
