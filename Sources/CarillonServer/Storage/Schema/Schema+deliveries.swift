extension Schema {
    /// The SQL that creates three tables: `deliveries` with a row for each push to a device, `removals` with requests to remove a
    /// message, and `events` of timelines.
    ///
    /// - `deliveries.message`: the message's number; NULL for a push that is not about one message. A device may have several
    ///   such pushes, because the unique index treats NULLs as distinct.
    /// - `deliveries.reach`: 0 for a push that cannot have arrived, 1 for a push that may have arrived, 2 for a push that APNs
    ///   accepted; `reach_before`: the value before the attempt in flight.
    /// - `deliveries.channel`: the number of the ``SendingChannel`` (an app in one APNs environment), or -1 minus this number
    ///   while a waiting push's message is paused; `lane`: a ``DeliveryLane``.
    /// - `deliveries.sender`, `epoch`: the ``Lease`` of the sender that sends the push; `answers`: a ``ReceiptSet``, only in rows
    ///   whose `purpose` is `show`.
    /// - `deliveries.problem`: the column that cannot be decoded, if senders skip the row for that reason.
    /// - `deliveries.flight_revision`, `flight_attempt`: the revision and the attempt of the push in flight. They have columns of
    ///   their own, because a newer revision may change the row meanwhile.
    /// - `removals.push`: the ``Push/revision`` of the newest removal push that carried the request; NULL if none has, or if a bit of
    ///   a ``RangeChunk`` stored the request at that time.
    static let deliveries = """
        CREATE TABLE deliveries (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER,
            device TEXT NOT NULL,
            purpose TEXT NOT NULL,
            user TEXT,
            revision INTEGER NOT NULL,
            state TEXT NOT NULL,
            attempt INTEGER NOT NULL DEFAULT 0,
            tries INTEGER NOT NULL DEFAULT 0,
            reach INTEGER NOT NULL DEFAULT 0,
            reach_before INTEGER NOT NULL DEFAULT 0,
            queued INTEGER NOT NULL,
            due INTEGER NOT NULL,
            channel INTEGER NOT NULL DEFAULT 0,
            lane INTEGER NOT NULL DEFAULT 0,
            sender INTEGER,
            epoch INTEGER NOT NULL DEFAULT 0,
            answers INTEGER NOT NULL DEFAULT 0,
            problem TEXT,
            flight_revision INTEGER,
            flight_attempt INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX deliveries_of_message ON deliveries (message, device, purpose);
        CREATE INDEX deliveries_of_device ON deliveries (device, state);
        CREATE INDEX deliveries_of_user ON deliveries (user, message) WHERE user IS NOT NULL;
        CREATE INDEX deliveries_waiting ON deliveries (channel, lane, due, number) WHERE state = 'queued' AND sender IS NULL;
        CREATE INDEX deliveries_held ON deliveries (sender, number) WHERE sender IS NOT NULL;
        CREATE INDEX deliveries_set_aside ON deliveries (number) WHERE state = 'set-aside';
        CREATE TABLE removals (
            device TEXT NOT NULL,
            message INTEGER NOT NULL,
            reason TEXT NOT NULL,
            revision INTEGER NOT NULL,
            requested INTEGER NOT NULL,
            confirmed INTEGER,
            push INTEGER,
            PRIMARY KEY (device, message)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX removals_open ON removals (device, requested) WHERE confirmed IS NULL;
        CREATE INDEX removals_by_message ON removals (message);
        CREATE TABLE events (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            message INTEGER NOT NULL,
            device TEXT NOT NULL,
            event TEXT NOT NULL,
            at INTEGER NOT NULL,
            purpose TEXT,
            revision INTEGER NOT NULL,
            attempt INTEGER,
            reason TEXT,
            status INTEGER,
            apns_id TEXT,
            detail TEXT,
            receipt TEXT,
            reply TEXT
        ) STRICT;
        CREATE INDEX events_of_message ON events (message, device, at);
        CREATE UNIQUE INDEX events_by_receipt ON events (device, receipt) WHERE receipt IS NOT NULL;
        """
}
