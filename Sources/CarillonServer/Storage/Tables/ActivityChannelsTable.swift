import CarillonAPNs
import CarillonCore

/// Reads and writes the table `activity_channels`: the broadcast channels of Live Activities.
///
/// A row is there before the channel is made, and until APNs has deleted it. So a process that ends leaves no channel behind.
struct ActivityChannelsTable: StoreTable {
    let session: StoreSession

    /// The SQL that creates the table.
    ///
    /// - `activity_channels.listed`: ``ActivityChannel/before`` as JSON; `finished`: ``ActivityChannel/hasEnded``; `due`: the earliest time of the next request; `answer`: the
    ///   last failure in words; NULL after a success. `sender`, `epoch`: the ``Lease`` of the sender that makes the request. The
    ///   other columns are those of an ``ActivityChannel``.
    static let creation = """
        CREATE TABLE activity_channels (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            app INTEGER NOT NULL,
            activity INTEGER NOT NULL,
            environment TEXT NOT NULL,
            channel_id TEXT,
            listed TEXT,
            settled INTEGER NOT NULL DEFAULT 0,
            sent INTEGER NOT NULL DEFAULT 0,
            finished INTEGER NOT NULL DEFAULT 0,
            started INTEGER,
            failures INTEGER NOT NULL DEFAULT 0,
            due INTEGER NOT NULL,
            answer TEXT,
            sender INTEGER,
            epoch INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE UNIQUE INDEX activity_channels_of_activity ON activity_channels (activity, environment);
        CREATE INDEX activity_channels_due ON activity_channels (due);
        CREATE INDEX activity_channels_of_app ON activity_channels (app, environment);
        CREATE INDEX activity_channels_held ON activity_channels (sender) WHERE sender IS NOT NULL;
        """

    func insert(_ activity: Int64, of app: AppNumber, _ environment: APNsEnvironment) throws {
        try execute(
            "INSERT INTO activity_channels (app, activity, environment, due) VALUES (?, ?, ?, ?)",
            [app.rawValue, activity, environment.rawValue, now.millisecondsSince1970])
        session.wakesChannels()
    }

    /// Returns the channels of a Live Activity.
    func channels(of activity: StoredActivity) throws -> [StoredChannel] {
        try rows(
            "SELECT * FROM activity_channels WHERE activity = ? ORDER BY environment", [activity.number]
        ).map { try StoredChannel($0, activity) }
    }

    /// Makes the channels of a Live Activity that has changed due, unless the last request has failed.
    func hurry(_ activity: Int64) throws {
        try execute(
            "UPDATE activity_channels SET due = ? WHERE activity = ? AND failures = 0",
            [now.millisecondsSince1970, activity])
        session.wakesChannels()
    }

    /// Records that a phone was started on a channel with a revision; an older one than the last broadcast is sent again.
    func noteStart(of activity: Int64, _ environment: APNsEnvironment, revision: Int) throws {
        let time = now.millisecondsSince1970
        // Very many starts follow each other, and the exact time of the last does not matter.
        try execute(
            """
            UPDATE activity_channels SET started = ? WHERE activity = ? AND environment = ?
                AND (started IS NULL OR started < ?)
            """, [time, activity, environment.rawValue, (now - .seconds(1)).millisecondsSince1970])
        try execute(
            """
            UPDATE activity_channels SET settled = ?, finished = 0, due = ? WHERE activity = ? AND environment = ?
                AND settled > ?
            """,
            [
                revision, (now + DeliveryLimits.channelSettling).millisecondsSince1970, activity, environment.rawValue,
                revision,
            ]
        )
    }

    // MARK: Senders

    /// Returns channels that are due, those first that wait longest.
    ///
    /// Of the channels of an app that are to be made, only the oldest is due: so a channel that was made without an answer is the
    /// only new one.
    func due(for sender: SenderNumber, busy: [Int64], limit: Int) throws -> [StoredChannel] {
        let latest = (now + ActivityChannelPace.backoff.longest).millisecondsSince1970
        return try rows(
            """
            SELECT activity_channels.* FROM activity_channels
            WHERE (sender IS NULL OR sender = ?) AND NOT (\(dialect.isAmongIntegers("activity_channels.number")))
                AND (due <= ? OR failures > 0 AND due > ?)
                AND (channel_id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM activity_channels AS older
                    WHERE older.app = activity_channels.app AND older.environment = activity_channels.environment
                        AND older.channel_id IS NULL AND older.number < activity_channels.number))
            ORDER BY due, number LIMIT ?
            """, [sender.rawValue, Self.integers(busy), now.millisecondsSince1970, latest, limit]
        ).compactMap(stored)
    }

    /// Returns the earliest time at which a channel is due.
    func nextDue() throws -> Timestamp? {
        try row("SELECT min(due) AS due FROM activity_channels WHERE sender IS NULL", [])?.timestamp("due")
    }

    private func stored(_ row: SQLRow) throws -> StoredChannel? {
        try ActivitiesTable(session).activity(row["activity"]).map { try StoredChannel(row, $0) }
    }

    /// Returns a channel that a sender holds.
    func held(_ lease: Lease, _ number: Int64) throws -> StoredChannel? {
        try row(
            "SELECT * FROM activity_channels WHERE number = ? AND sender = ? AND epoch = ?",
            [number, lease.sender.rawValue, lease.epoch]
        ).flatMap(stored)
    }

    /// Returns the ids of an app's channels at APNs that the service knows.
    func ids(of app: AppNumber, _ environment: APNsEnvironment) throws -> Set<String> {
        Set(
            try rows(
                "SELECT channel_id FROM activity_channels WHERE app = ? AND environment = ? AND channel_id IS NOT NULL",
                [app.rawValue, environment.rawValue]
            ).map { try $0["channel_id"] as String })
    }

    func lease(_ number: Int64, to sender: SenderNumber) throws {
        try execute(
            "UPDATE activity_channels SET sender = ?, epoch = epoch + 1 WHERE number = ?", [sender.rawValue, number])
    }

    /// Stores a channel, and the time of its next request.
    ///
    /// - Parameters:
    ///   - stored: the channel.
    ///   - due: the time of the next request.
    ///   - answer: the last failure in words; `nil` after a success.
    ///   - keepsLease: whether the sender goes on with a further request.
    /// - Throws: the errors of the database.
    func keep(_ stored: StoredChannel, due: Timestamp, answer: String?, keepsLease: Bool) throws {
        let channel = stored.channel
        try execute(
            """
            UPDATE activity_channels SET channel_id = ?, listed = ?, settled = ?, sent = ?, finished = ?, failures = ?,
                due = ?, answer = ?\(keepsLease ? "" : ", sender = NULL") WHERE number = ?
            """,
            [
                channel.id, try channel.before.map { try Self.json($0) }, channel.settled, channel.sent,
                channel.hasEnded, channel.failures, due.millisecondsSince1970, answer, stored.number,
            ])
    }

    func delete(_ number: Int64) throws { try execute("DELETE FROM activity_channels WHERE number = ?", [number]) }

    /// Forgets the channels of an app that is removed; nobody has its credential any more.
    func deleteAll(of app: AppNumber) throws {
        try execute("DELETE FROM activity_channels WHERE app = ?", [app.rawValue])
    }

    /// Ends all leases of a sender that has ended.
    func release(_ sender: SenderNumber) throws {
        try execute("UPDATE activity_channels SET sender = NULL WHERE sender = ?", [sender.rawValue])
    }
}

/// A channel as the store keeps it, with its Live Activity.
struct StoredChannel: Sendable {
    let number: Int64
    let activity: StoredActivity
    let environment: APNsEnvironment
    /// The number of the lease under which the last request was made.
    let epoch: Int
    /// The last failure in words; `nil` after a success.
    let answer: String?
    var channel: ActivityChannel

    init(_ row: SQLRow, _ activity: StoredActivity) throws {
        self.activity = activity
        number = try row["number"]
        environment = try row.choice("environment")
        epoch = try row["epoch"]
        answer = row.text("answer")
        channel = ActivityChannel(revision: activity.revision, ended: activity.ended, isOver: activity.isOver)
        channel.id = row.text("channel_id")
        channel.before = try row.json("listed")
        channel.settled = try row["settled"]
        channel.sent = try row["sent"]
        channel.hasEnded = try row["finished"]
        channel.started = row.timestamp("started")
        channel.failures = try row["failures"]
    }
}

extension LiveActivityReport.Channel {
    init(_ stored: StoredChannel) {
        self.init(environment: stored.environment, state: stored.channel.standing, problem: stored.answer)
    }
}
