/// The only type that writes certain SQL tables.
///
/// A statement without a result is executed (PostgreSQL gets it with the next question), one with a result is asked for all
/// rows at once by a JSON array. No table commits.
protocol StoreTable: SessionPart {
    init(session: StoreSession)
}

extension StoreTable {
    init(_ session: StoreSession) { self.init(session: session) }

    /// Deletes the next rows of a message from a table of this type's.
    ///
    /// - Parameters:
    ///   - message: the message's number.
    ///   - table: the SQL table.
    ///   - key: the column that tells the rows of one message apart.
    ///   - limit: how many rows at most.
    /// - Returns: how many there were.
    /// - Throws: what the database says.
    func deleteRows(of message: Int64, in table: String, by key: String, limit: Int) throws -> Int {
        try changes(
            "DELETE FROM \(table) WHERE message = ? AND \(key) IN (SELECT \(key) FROM \(table) WHERE message = ? LIMIT ?)",
            [message, message, limit])
    }

    /// Gives a device's rows in a table of this type's to another device; where that one has its own already, they stay.
    ///
    /// - Parameters:
    ///   - table: the SQL table.
    ///   - device: whose rows they are.
    ///   - other: whose they become.
    ///   - key: the columns that tell the rows of one device apart.
    ///   - condition: on the rows. The default is all of them.
    /// - Throws: what the database says.
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
