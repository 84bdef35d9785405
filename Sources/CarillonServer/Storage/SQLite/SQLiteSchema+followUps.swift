import GRDB

/// What changed when messages that are sent by ranges could have a second push, count as unread, and be replaced.
extension SQLiteSchema {
    /// - `chunks.follow`: when it goes to those who need one (``RangeChunk/followDue``); NULL for never.
    /// - `ranges.counts`: whether it is in the inboxes of those whom it is for; `inbox` has a row only for who has read it.
    /// - `devices.bound`: the last chunk that there was when its user signed in: later ones are the user's. The triggers
    ///   keep it.
    static func addFollowUps(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE chunks ADD COLUMN follow INTEGER;
                CREATE INDEX chunks_following ON chunks (channel, follow, number) WHERE follow IS NOT NULL;
                ALTER TABLE ranges ADD COLUMN counts INTEGER NOT NULL DEFAULT 0;
                CREATE INDEX ranges_counting ON ranges (app, message) WHERE counts = 1;
                ALTER TABLE devices ADD COLUMN bound INTEGER NOT NULL DEFAULT 0;
                CREATE TRIGGER device_bound AFTER UPDATE OF user ON devices
                WHEN new.user IS NOT NULL AND new.user IS NOT old.user BEGIN
                    UPDATE devices SET bound = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)
                    WHERE id = new.id;
                END;
                CREATE TRIGGER device_bound_first AFTER INSERT ON devices WHEN new.user IS NOT NULL BEGIN
                    UPDATE devices SET bound = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'chunks'), 0)
                    WHERE id = new.id;
                END;
                """)
    }

    /// - `chunks.revision`: the message's revision that it brings; one that is replaced keeps those for whom the newer one is
    ///   not. `…_at`: since when those reached are to remove it; `ranges.replaced`: since when that may be so.
    static func addReplacements(_ db: Database) throws {
        try db.execute(
            sql: """
                ALTER TABLE chunks ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE chunks ADD COLUMN withdrawn_at INTEGER;
                ALTER TABLE chunks ADD COLUMN ended_at INTEGER;
                ALTER TABLE chunks ADD COLUMN replaced_at INTEGER;
                ALTER TABLE ranges ADD COLUMN replaced INTEGER;
                UPDATE chunks SET (withdrawn_at, ended_at) =
                    (SELECT withdrawn, ended FROM ranges WHERE ranges.message = chunks.message);
                CREATE INDEX chunks_leased ON chunks (message, revision) WHERE sender IS NOT NULL;
                """)
    }
}
