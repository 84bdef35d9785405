extension Schema {
    /// The SQL that creates the tables of messages whose deliveries are kept as bitmaps (``RangeRules``).
    ///
    /// Such a message has very many devices. Each ``RangeChunk`` keeps the deliveries to a range of devices, a bit for each
    /// device, instead of rows.
    ///
    /// - `ranges`: a row for each message whose deliveries are kept as bitmaps.
    /// - `ranges.condition`: ``Audience/rangeCondition``, NULL for everyone.
    /// - `ranges.last`, `began`: the app's greatest ordinal (running number of a device) when sending began, and the time at
    ///   which it began.
    /// - `ranges.planned`: the ordinal up to which the message's chunks exist; `open`: whether further chunks must be created.
    /// - `ranges.due`: the earliest time at which the next chunk is created, ``WorkTable/never`` while the message is paused.
    /// - `ranges.withdrawn`, `ended`, `replaced`: the times since which devices must remove the message: since its recall, since
    ///   its expiry, or since a newer revision that is not addressed to them.
    /// - `ranges.counts`: whether the message counts as unread for its audience. The table `inbox` has a row only for a user who
    ///   has read the message.
    /// - `chunks`: a row for each ``RangeChunk``; `marks`: its flags; `open`, `removing`: whether a device waits for a push, or
    ///   for a removal push.
    /// - `chunks.channel`: the number of the ``SendingChannel``, or -1 minus this number while the message is paused; `follow`:
    ///   the time at which the chunk's second pushes (``SecondPush``) are due, NULL for never.
    /// - `chunks.revision`: the revision that the chunk sends. A newer revision is sent with new chunks; only devices that do not
    ///   get it stay in the old chunk.
    /// - `chunks.withdrawn_at`, `ended_at`, `replaced_at`: the times since which the chunk's devices must remove the message.
    /// - `chunks.handed_at`, `accepted_at`, `reported_at`: the last times at which a push was handed to APNs, APNs accepted a
    ///   push, and a device sent a receipt.
    /// - `removal_leases`: a ``RemovalLease`` for each chunk and sender with removal pushes in flight.
    static let ranges = """
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
            problem TEXT,
            counts INTEGER NOT NULL DEFAULT 0,
            replaced INTEGER
        ) STRICT;
        CREATE INDEX ranges_of_app ON ranges (app, message);
        CREATE INDEX ranges_open ON ranges (due, message) WHERE open = 1;
        CREATE INDEX ranges_counting ON ranges (app, message) WHERE counts = 1;
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
            marks BLOB NOT NULL,
            follow INTEGER,
            revision INTEGER NOT NULL DEFAULT 1,
            withdrawn_at INTEGER,
            ended_at INTEGER,
            replaced_at INTEGER
        ) STRICT;
        CREATE INDEX chunks_of_message ON chunks (message, first);
        CREATE INDEX chunks_open ON chunks (number, channel, sender) WHERE open = 1;
        CREATE INDEX chunks_removing ON chunks (number, channel) WHERE removing = 1;
        CREATE INDEX chunks_held ON chunks (sender, number) WHERE sender IS NOT NULL;
        CREATE INDEX chunks_set_aside ON chunks (number) WHERE problem IS NOT NULL;
        CREATE INDEX chunks_following ON chunks (channel, follow, number) WHERE follow IS NOT NULL;
        CREATE INDEX chunks_leased ON chunks (message, revision) WHERE sender IS NOT NULL;
        CREATE TABLE removal_leases (
            chunk INTEGER NOT NULL,
            sender INTEGER NOT NULL,
            began INTEGER NOT NULL,
            places BLOB NOT NULL,
            PRIMARY KEY (chunk, sender)
        ) STRICT, WITHOUT ROWID;
        """
}
