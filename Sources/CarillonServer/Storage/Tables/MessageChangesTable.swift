import CarillonCore

/// Reads and writes the table `message_changes`: the newest changes of messages, by which other processes learn of them.
///
/// A change is a replacement, a recall, a pause, its end, or a cancellation. The table has at most ``StoreLimits/messageChanges``
/// rows.
struct MessageChangesTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table.
    static let creation = """
        CREATE TABLE message_changes (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX message_changes_of_message ON message_changes (message);
        """

    /// Adds a change of the message with this number, and deletes the oldest change if there are too many.
    func add(_ message: Int64) throws {
        try execute("INSERT INTO message_changes (message) VALUES (?)", [message])
        try execute(
            "DELETE FROM message_changes WHERE number <= (SELECT max(number) FROM message_changes) - ?",
            [Int64(StoreLimits.messageChanges)])
    }

    /// Deletes the changes of a message, because the message is deleted.
    func delete(of message: Int64) throws {
        try execute("DELETE FROM message_changes WHERE message = ?", [message])
    }
}
