import GRDB

/// What changed when messages to very many devices got bits in the place of rows.
extension SQLiteSchema {
    /// A row of `ranges` for each message that is sent by ranges (`messages.ranged`); what is kept of its devices is in `chunks`.
    ///
    /// - `condition`: ``Audience/rangeCondition``, NULL for everyone; `last`, `began`: the greatest ordinal when sending began,
    ///   and when that was; `planned`: the ordinal up to which the devices are decided on, while `open` says that there are
    ///   further ones; `due`: not before then, ``WorkTable/never`` while it is paused.
    /// - `withdrawn`, `ended`: since when those reached are to remove it, because of a recall or of its end.
    /// - `chunks.marks`: the ``RangeChunk``; `open`, `removing`: whether somebody waits for a push, or for a removal; held ones
    ///   have the channel -1 - n in the place of n.
    static func addRanges(_ db: Database) throws {
        try db.execute(sql: rangeTables)
    }

    /// A row of `removal_leases` for each chunk and sender that has pushes with removals of it in flight: a ``RemovalLease``.
    static func addRemovalLeases(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE removal_leases (
                    chunk INTEGER NOT NULL,
                    sender INTEGER NOT NULL,
                    began INTEGER NOT NULL,
                    places BLOB NOT NULL,
                    PRIMARY KEY (chunk, sender)
                ) STRICT, WITHOUT ROWID;
                """)
    }

    private static let rangeTables = """
        ALTER TABLE messages ADD COLUMN ranged INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE ranges (
            message INTEGER PRIMARY KEY,
            app INTEGER NOT NULL,
            chunk_devices INTEGER NOT NULL,
            condition TEXT,
            last INTEGER,
            began INTEGER,
            planned INTEGER NOT NULL DEFAULT 0,
            open INTEGER NOT NULL DEFAULT 1,
            due INTEGER NOT NULL,
            withdrawn INTEGER,
            ended INTEGER,
            problem TEXT
        ) STRICT;
        CREATE INDEX ranges_of_app ON ranges (app, message);
        CREATE INDEX ranges_open ON ranges (due, message) WHERE open = 1;
        CREATE TABLE chunks (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL,
            first INTEGER NOT NULL,
            channel INTEGER NOT NULL,
            position INTEGER NOT NULL,
            rest TEXT NOT NULL,
            open INTEGER NOT NULL,
            removing INTEGER NOT NULL,
            sender INTEGER,
            epoch INTEGER NOT NULL,
            handed_at INTEGER,
            accepted_at INTEGER,
            reported_at INTEGER,
            problem TEXT,
            marks BLOB NOT NULL
        ) STRICT;
        CREATE INDEX chunks_of_message ON chunks (message, first);
        CREATE INDEX chunks_open ON chunks (number, channel, sender) WHERE open = 1;
        CREATE INDEX chunks_removing ON chunks (number, channel) WHERE removing = 1;
        CREATE INDEX chunks_held ON chunks (sender, number) WHERE sender IS NOT NULL;
        CREATE INDEX chunks_set_aside ON chunks (number) WHERE problem IS NOT NULL;
        """
}
