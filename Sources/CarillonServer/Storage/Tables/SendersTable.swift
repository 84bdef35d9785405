import CarillonCore

/// Reads and writes the table `senders`.
///
/// A sender is the part of a service process that sends pushes to APNs. The table also contains senders that have ended.
struct SendersTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table.
    static let creation = """
        CREATE TABLE senders (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE,
            beat INTEGER NOT NULL DEFAULT 0,
            ended INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        """

    func join(_ name: String) throws -> SenderNumber {
        let number = try insertNumbered("INSERT INTO senders (name) VALUES (?)", [name])
        return SenderNumber(rawValue: try number ?? notWritten("sender"))
    }

    /// Writes a row and deletes it, so that the end of the transaction shows whether the database can be written.
    func proveWritable() throws { try delete(join("proof")) }

    /// Increases a sender's heartbeat counter, which shows other senders that this sender is running.
    ///
    /// - Throws: ``SenderEnded`` if another sender has taken over this sender's leases.
    func beat(_ sender: SenderNumber) throws {
        // Another sender may be taking over this sender's leases at this moment. One of the two statements then sees the other's
        // change.
        let isLive = try changes(
            "UPDATE senders SET beat = beat + 1 WHERE number = ? AND ended = 0", [sender.rawValue])
        guard isLive > 0 else { throw SenderEnded() }
    }

    /// Returns all senders except the given one, each with its name, its heartbeat counter, and whether it has ended.
    func others(than sender: SenderNumber) throws -> [(number: SenderNumber, name: String, beat: Int, ended: Bool)] {
        try rows(
            "SELECT number, name, beat, ended FROM senders WHERE number <> ? ORDER BY number", [sender.rawValue]
        ).map { row in
            (
                number: SenderNumber(rawValue: try row["number"]), name: try row["name"] as String,
                beat: try row["beat"] as Int, ended: try row["ended"] as Bool
            )
        }
    }

    func name(of sender: SenderNumber) throws -> String? {
        try row("SELECT name FROM senders WHERE number = ?", [sender.rawValue])?.text("name")
    }

    func requireLive(_ sender: SenderNumber) throws {
        guard try row(Self.live(sender)) != nil else { throw SenderEnded() }
    }

    /// Returns the query for the row of a sender that has not ended.
    static func live(_ sender: SenderNumber) -> SQLStatement {
        SQLStatement(sql: "SELECT number FROM senders WHERE number = ? AND ended = 0", arguments: [sender.rawValue])
    }

    /// Marks a sender as ended, unless it has given a sign of life.
    ///
    /// A sender that is marked can lease nothing any more.
    ///
    /// - Parameters:
    ///   - sender: the sender.
    ///   - beat: the heartbeat counter as the caller last read it. If the counter has changed since, the function does not mark
    ///     the sender. With `nil`, it marks the sender in any case.
    /// - Returns: whether the sender is marked as ended, by this call or an earlier one.
    /// - Throws: the errors of the database.
    func end(_ sender: SenderNumber, ifStillAt beat: Int?) throws -> Bool {
        try changes(
            "UPDATE senders SET ended = 1 WHERE number = ? AND (CAST(? AS BIGINT) IS NULL OR beat = ? OR ended = 1)",
            [sender.rawValue, beat, beat]) > 0
    }

    func delete(_ sender: SenderNumber) throws {
        try execute("DELETE FROM senders WHERE number = ?", [sender.rawValue])
    }
}
