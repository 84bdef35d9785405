import CarillonAPNs
import CarillonCore

/// Reads and writes apps, their credentials and rate limits, and the ordinals (running numbers) for their next devices.
///
/// The SQL tables are `apps` and `app_credentials`.
struct AppsTable: StoreTable {
    let session: StoreSession

    var isEmpty: Bool {
        get throws { try integer("SELECT count(*) FROM apps") == 0 }
    }

    func put(_ settings: AppSettings) throws -> AppRecord {
        try execute(
            """
            INSERT INTO apps (topic, requires_sign_in, created) VALUES (?, ?, ?)
            ON CONFLICT (topic) DO UPDATE SET requires_sign_in = coalesce(?, apps.requires_sign_in)
            """,
            [
                settings.topic, settings.requiresSignIn ?? false, now.millisecondsSince1970, settings.requiresSignIn,
            ])
        if let rate = settings.sendsPerSecond {
            try execute(
                "UPDATE apps SET sends_per_second = nullif(?, 0) WHERE topic = ?", [max(0, rate), settings.topic])
        }
        guard let app = try app(settings.topic) else { throw ServiceError(.storage, "the app was not written") }
        for (environment, credential) in settings.credentials { try put(credential, environment, app.reference.number) }
        return try self.app(settings.topic) ?? app
    }

    private func put(_ credential: CredentialReference, _ environment: APNsEnvironment, _ app: AppNumber) throws {
        let ids: (key: String?, team: String?) =
            switch credential {
            case .signingKey(_, let keyID, let teamID): (keyID, teamID)
            case .certificate: (nil, nil)
            }
        try execute(
            """
            INSERT INTO app_credentials (app, environment, path, key_id, team_id) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (app, environment) DO UPDATE SET
                path = excluded.path, key_id = excluded.key_id, team_id = excluded.team_id,
                told_end = CASE WHEN app_credentials.path = excluded.path THEN app_credentials.told_end END
            """,
            [app.rawValue, environment.rawValue, credential.path, ids.key, ids.team])
    }

    /// Tells an app's feed, if it is open, that its certificate ends soon or has ended; does nothing if that is told already.
    func tell(_ ending: EndingCredential) throws {
        let (app, end) = (ending.app, ending.end.millisecondsSince1970)
        let untold = try row(
            """
            UPDATE app_credentials SET told_end = ?
            WHERE environment = ? AND app = (SELECT number FROM apps WHERE topic = ?)
                AND (told_end IS NULL OR told_end < ?)
                AND EXISTS (SELECT 1 FROM feeds WHERE feeds.app = app_credentials.app AND feeds.until > ?)
            RETURNING app
            """, [end, app.environment.rawValue, app.topic, end, now.millisecondsSince1970])
        guard let untold else { return }
        session.emit(
            .certificateExpiring, of: AppNumber(rawValue: try untold["app"]),
            FeedDetails(detail: ending.advice, environment: app.environment))
    }

    /// Returns all apps, ordered by topic.
    func all() throws -> [AppRecord] { try rows("SELECT * FROM apps ORDER BY topic").map(app) }

    func app(_ topic: String) throws -> AppRecord? {
        try row("SELECT * FROM apps WHERE topic = ?", [topic]).map(app)
    }

    /// Returns the bundle ids of all apps, by app number.
    func topics() throws -> [Int64: String] {
        try rows("SELECT number, topic FROM apps").reduce(into: [:]) { topics, row in
            topics[try row["number"]] = row.text("topic")
        }
    }

    /// Returns the bundle id of the app with a number; `nil` if there is no such app.
    func topic(of app: AppNumber) throws -> String? {
        try row(Self.topic(of: app)).map { try $0["topic"] }
    }

    /// Returns the query of ``topic(of:)``.
    static func topic(of app: AppNumber) -> SQLStatement {
        SQLStatement(sql: "SELECT topic FROM apps WHERE number = ?", arguments: [app.rawValue])
    }

    /// Requires that an app still exists, because it may have been removed since the caller looked it up.
    ///
    /// - Throws: ``ServiceError`` if the app was removed.
    func require(_ app: AppNumber) throws {
        guard try topic(of: app) != nil else { throw ServiceError.appIsRemoved }
    }

    /// Deletes an app and its credentials.
    func delete(_ app: AppNumber) throws {
        try execute("DELETE FROM app_credentials WHERE app = ?", [app.rawValue])
        try execute("DELETE FROM apps WHERE number = ?", [app.rawValue])
    }

    func app(_ row: SQLRow) throws -> AppRecord {
        let number: Int64 = try row["number"]
        var credentials: [APNsEnvironment: CredentialReference] = [:]
        for row in try rows("SELECT * FROM app_credentials WHERE app = ?", [number]) {
            let path: String = try row["path"]
            let environment: APNsEnvironment = try row.choice("environment")
            if let keyID = row.text("key_id"), let teamID = row.text("team_id") {
                credentials[environment] = .signingKey(path: path, keyID: keyID, teamID: teamID)
            } else {
                credentials[environment] = .certificate(path: path)
            }
        }
        return AppRecord(
            reference: AppReference(number: AppNumber(rawValue: number), topic: try row["topic"]),
            requiresSignIn: try row["requires_sign_in"], credentials: credentials,
            sendsPerSecond: row["sends_per_second"], created: try row.requiredTimestamp("created"))
    }

    // MARK: Rates

    /// Returns the token buckets (``TokenBucket``), refilled up to now, of the apps that have a rate limit, by app number.
    func buckets() throws -> [Int64: TokenBucket] {
        let rows = try rows(Self.buckets)
        return rows.reduce(into: [:]) { buckets, row in
            // Ignores a damaged rate, so that it delays neither its app nor others.
            guard let app: Int64 = row["number"], let rate: Int = row["sends_per_second"], rate > 0 else { return }
            var bucket = TokenBucket(
                perSecond: rate, thousandths: row["bucket"] ?? 0, at: row.timestamp("bucket_at") ?? now)
            bucket.refill(at: now)
            buckets[app] = bucket
        }
    }

    /// The query of ``buckets()``.
    static let buckets = SQLStatement(
        sql: "SELECT number, sends_per_second, bucket, bucket_at FROM apps WHERE sends_per_second IS NOT NULL")

    /// Stores the present contents of the apps' token buckets (``TokenBucket``), by app number.
    func keep(_ buckets: [Int64: TokenBucket]) throws {
        for (app, bucket) in buckets {
            try execute(
                "UPDATE apps SET bucket = ?, bucket_at = ? WHERE number = ?",
                [bucket.thousandths, bucket.at.millisecondsSince1970, app])
        }
    }

    // MARK: Turns and ordinals

    /// Reserves the next time at which the service may check one of an app's new device tokens (``takenCheck``).
    ///
    /// The reserved times of one app are spaced by ``StoreLimits/tokenCheckInterval``, however many tokens arrive. If a stored
    /// time lies further ahead than ``StoreLimits/longestTokenCheckQueue``, the clock was set back, and the function ignores the
    /// stored time.
    ///
    /// - Parameter device: selects the device in the table `devices`, and with it the app.
    /// - Throws: the errors of the database.
    func takeCheck(forDeviceWhere device: SQLCondition) throws {
        try execute(
            """
            UPDATE apps SET next_check = CASE WHEN next_check BETWEEN ? AND ? THEN next_check ELSE ? END + ?
            WHERE number = (SELECT devices.app FROM devices WHERE \(device.sql))
            """,
            [
                now.millisecondsSince1970, (now + StoreLimits.longestTokenCheckQueue).millisecondsSince1970,
                now.millisecondsSince1970, StoreLimits.tokenCheckInterval.wholeMilliseconds,
            ] + device.arguments)
    }

    /// The SQL for the time that ``takeCheck(forDeviceWhere:)`` has reserved last, in queries of the table `devices`.
    static let takenCheck =
        "(SELECT next_check - \(StoreLimits.tokenCheckInterval.wholeMilliseconds) FROM apps WHERE number = devices.app)"

    /// Returns the greatest ordinal (running number in the app) that one of the app's devices has been given; 0 if none has one.
    func lastOrdinal(of app: AppNumber) throws -> Int64 {
        try row("SELECT next_ordinal - 1 AS last FROM apps WHERE number = ?", [app.rawValue])?["last"] ?? 0
    }

    /// Reserves the app's next `count` ordinals, the running numbers of new devices.
    ///
    /// - Returns: the greatest of the reserved ordinals.
    func takeOrdinals(_ count: Int, of app: AppNumber) throws -> Int64 {
        let last = try row(
            "UPDATE apps SET next_ordinal = next_ordinal + ? WHERE number = ? RETURNING next_ordinal - 1 AS ordinal",
            [count, app.rawValue])
        guard let last: Int64 = last?["ordinal"] else { return try notWritten("place") }
        return last
    }

    /// Records that the app's next ordinal (running number in the app) was given to a device.
    func noteOrdinalTaken(of app: Int64) throws {
        try execute("UPDATE apps SET next_ordinal = next_ordinal + 1 WHERE number = ?", [app])
    }
}
