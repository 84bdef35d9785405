import GRDB

/// What changed when recalls got notices, and the end of a message became an event of its deliveries.
extension SQLiteSchema {
    /// - `notice`: a ``RecallNotice`` in JSON.
    /// - `remove_expired`: whether the message is removed when its `until` has passed; `expires`: that moment, until it is
    ///   carried out.
    /// - `work`: a ``StepwiseWork`` in JSON, with its kind and its message; `problem` is why it cannot be gone on with.
    /// - `reply`: what the person typed, where `keeps_replies` says so.
    static func addEnds(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE messages ADD COLUMN notice BLOB;
                ALTER TABLE messages ADD COLUMN remove_expired INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE messages ADD COLUMN expires INTEGER;
                ALTER TABLE messages ADD COLUMN keeps_replies INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE events ADD COLUMN reply TEXT;
                CREATE INDEX messages_by_end ON messages (expires) WHERE expires IS NOT NULL;
                CREATE TABLE work (
                    number INTEGER PRIMARY KEY AUTOINCREMENT,
                    kind TEXT NOT NULL,
                    message INTEGER,
                    state TEXT NOT NULL,
                    problem TEXT
                ) STRICT;
                CREATE INDEX work_of_message ON work (message);
                """)
    }
}
