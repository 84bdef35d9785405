import GRDB

extension SQLiteSchema {
    /// - `send_at`: when a message is to be sent; `paused`, `cancelled`: since when it is.
    /// - `work.due`: not before then; ``WorkTable/never`` while its message is paused.
    /// - `sends_per_second`: the app's limit, NULL for none; `bucket`, `bucket_at`: a ``TokenBucket``.
    ///
    /// A delivery that is held has the channel -1 - n in the place of n.
    static func addSending(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE messages ADD COLUMN send_at INTEGER;
                ALTER TABLE messages ADD COLUMN paused INTEGER;
                ALTER TABLE messages ADD COLUMN cancelled INTEGER;
                ALTER TABLE work ADD COLUMN due INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX work_due ON work (due, number);
                ALTER TABLE apps ADD COLUMN sends_per_second INTEGER;
                ALTER TABLE apps ADD COLUMN bucket INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE apps ADD COLUMN bucket_at INTEGER NOT NULL DEFAULT 0;
                """)
    }
}
