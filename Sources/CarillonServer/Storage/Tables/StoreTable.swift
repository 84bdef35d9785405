/// A type that reads and writes certain SQL tables; no other type writes them.
///
/// The type runs statements without a result through ``SessionPart/execute(_:_:)``, so that PostgreSQL can receive them together
/// with the next query. Statements for many rows take the rows' keys as one JSON array. The type never commits a transaction.
protocol StoreTable: SessionPart {
    init(session: StoreSession)
}

extension StoreTable {
    init(_ session: StoreSession) { self.init(session: session) }

    /// Deletes rows of a message from one of this type's tables.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - table: the SQL table.
    ///   - key: the column whose values differ between the rows of one message.
    ///   - limit: the greatest number of rows.
    /// - Returns: the number of deleted rows.
    /// - Throws: the errors of the database.
    func deleteRows(of message: Int64, in table: String, by key: String, limit: Int) throws -> Int {
        try changes(
            "DELETE FROM \(table) WHERE message = ? AND \(key) IN (SELECT \(key) FROM \(table) WHERE message = ? LIMIT ?)",
            [message, message, limit])
    }

    /// Moves a device's rows in one of this type's tables to another device.
    ///
    /// A row stays with the first device if the other device already has a row with equal values in the columns of `key`.
    ///
    /// - Parameters:
    ///   - table: the SQL table.
    ///   - device: the device that has the rows.
    ///   - other: the device that gets the rows.
    ///   - key: the columns that together are unique among the rows of one device.
    ///   - condition: an SQL condition on the rows to move. The default is all rows.
    /// - Throws: the errors of the database.
    func moveRows(
        in table: String, from device: String, to other: String, by key: [String], where condition: String = "true"
    ) throws {
        let isSame = key.map { "own.\($0) = \(table).\($0)" }.joined(separator: " AND ")
        try execute(
            """
            UPDATE \(table) SET device = ? WHERE device = ? AND \(condition)
                AND NOT EXISTS (SELECT 1 FROM \(table) AS own WHERE own.device = ? AND \(isSame))
            """, [other, device, other])
    }
}
