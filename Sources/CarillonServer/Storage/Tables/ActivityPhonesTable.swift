import CarillonAPNs
import CarillonCore

/// Reads and writes the tables `activity_phones` and `activity_tokens`: the phones that Live Activities are for, and the tokens that
/// phones have registered.
struct ActivityPhonesTable: StoreTable {
    let session: StoreSession

    private static let columns = """
        activity_phones.*, devices.state AS device_state, devices.token AS device_token, devices.environment,
        starts.token AS start_token, updates.token AS update_token, deliveries.number IS NOT NULL AS queued,
        activity_channels.number AS channel_number, activity_channels.channel_id, activity_channels.settled AS broadcast,
        activity_channels.finished AS broadcast_end
        """

    private static let tables = """
        activity_phones JOIN activities ON activities.number = activity_phones.activity
            JOIN devices ON devices.id = activity_phones.device
            LEFT JOIN deliveries ON deliveries.number = activity_phones.delivery
            LEFT JOIN activity_channels ON activity_channels.activity = activity_phones.activity
                AND activity_channels.environment = devices.environment
            LEFT JOIN activity_tokens AS starts ON starts.device = activity_phones.device
                AND starts.type = activities.type AND starts.id = '' AND starts.dead IS NULL
            LEFT JOIN activity_tokens AS updates ON updates.device = activity_phones.device
                AND updates.type = activities.type AND updates.id = activities.id AND updates.dead IS NULL
        """

    /// Returns the phones that meet an SQL condition, in the order of their rows.
    ///
    /// - Parameters:
    ///   - condition: a condition on the table `activity_phones`.
    ///   - arguments: the values of the condition's question marks.
    ///   - limit: the greatest number of phones; the default, `nil`, is none.
    /// - Returns: the phones.
    /// - Throws: the errors of the database.
    func phones(
        where condition: String, _ arguments: SQLArguments, limit: Int? = nil
    ) throws -> [StoredActivityPhone] {
        try phones(Self.query(where: condition, arguments, limit: limit))
    }

    /// Returns the next phones of a Live Activity, in the order of their rows.
    ///
    /// - Parameters:
    ///   - activity: the number of the Live Activity.
    ///   - mark: the number of the last phone of the page before; 0 for the first page.
    ///   - limit: the greatest number of phones.
    /// - Returns: the phones.
    /// - Throws: the errors of the database.
    func page(of activity: Int64, after mark: Int64, limit: Int) throws -> [StoredActivityPhone] {
        try phones(Self.page(of: activity, after: mark, limit: limit))
    }

    /// Returns the query of ``page(of:after:limit:)``.
    ///
    /// The numbers of a page are chosen before anything is joined: a page of very many phones would join them all to sort them.
    static func page(of activity: Int64, after mark: Int64, limit: Int) -> SQLStatement {
        query(
            where: """
                activity_phones.number IN (SELECT number FROM activity_phones WHERE activity = ? AND number > ?
                    ORDER BY number LIMIT ?)
                """, [activity, mark, limit])
    }

    /// Returns the query of ``phones(where:_:limit:)``.
    static func query(where condition: String, _ arguments: SQLArguments, limit: Int? = nil) -> SQLStatement {
        SQLStatement(
            sql: """
                SELECT \(columns) FROM \(tables) WHERE \(condition) ORDER BY activity_phones.number
                \(limit.map { "LIMIT \($0)" } ?? "")
                """, arguments: arguments)
    }

    /// Decodes the rows of ``query(where:_:limit:)``.
    func phones(_ query: SQLStatement) throws -> [StoredActivityPhone] {
        let rows = try rows(query)
        var activities: [Int64: StoredActivity] = [:]
        return try rows.compactMap { row in
            let number: Int64 = try row["activity"]
            guard let activity = try activities[number] ?? ActivitiesTable(session).activity(number) else { return nil }
            activities[number] = activity
            return try StoredActivityPhone(row, activity)
        }
    }

    /// Makes the devices that meet a condition on the table `devices` phones of a Live Activity.
    ///
    /// - Returns: the number of phones.
    func insert(_ activity: Int64, of app: AppNumber, where condition: SQLCondition) throws -> Int {
        try changes(
            """
            INSERT INTO activity_phones (app, activity, device, user)
            SELECT app, ?, id, user FROM devices WHERE state = 'active' AND token IS NOT NULL AND \(condition.sql)
            ORDER BY number
            """, [activity] + condition.arguments)
    }

    /// Makes devices phones of a Live Activity, unless they are already.
    ///
    /// - Parameters:
    ///   - activity: the number of the Live Activity.
    ///   - devices: the numbers of the devices.
    /// - Throws: the errors of the database.
    func insert(_ activity: Int64, devices: [Int64]) throws {
        try execute(
            """
            INSERT INTO activity_phones (app, activity, device, user)
            SELECT app, ?, id, user FROM devices WHERE \(dialect.isAmongIntegers("number")) ORDER BY number
            ON CONFLICT (activity, device) DO NOTHING
            """, [activity, Self.integers(devices)])
    }

    /// Returns the greatest number of a phone.
    func last() throws -> Int64 {
        try row("SELECT coalesce(max(number), 0) AS number FROM activity_phones", [])?["number"] ?? 0
    }

    /// Phones of a Live Activity that are alike in all that reports show.
    struct Group {
        let phone: ActivityPhone
        let isQueued: Bool
        let receipts: [LiveActivityReceipt.Event]
        let count: Int
    }

    /// Returns the phones of a Live Activity, grouped by the database, so that very many cost no memory.
    func groups(of activity: StoredActivity) throws -> [Group] {
        try rows(
            """
            SELECT activity_phones.settled >= activities.revision AS is_settled, activity_phones.reach,
                activity_phones.finished, activity_phones.gone, activity_phones.rejected, activity_phones.withdrawn,
                activity_phones.following, activity_phones.seen,
                coalesce(activity_phones.shown, 0) = activities.stamp AS shows_newest,
                updates.token IS NOT NULL AS has_update, deliveries.number IS NOT NULL AS queued,
                activity_channels.number AS channel_number, activity_channels.channel_id,
                activity_channels.settled AS broadcast, activity_channels.finished AS broadcast_end, count(*) AS count
            FROM \(Self.tables) WHERE activity_phones.activity = ?
            GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
            """, [activity.number]
        ).map { row in
            let withdrawn: Bool = try row["withdrawn"]
            var phone = try StoredActivityPhone.phone(row, activity, isWithdrawn: withdrawn)
            phone.settled = try row["is_settled"] ? activity.revision : 0
            phone.hasUpdateToken = try row["has_update"]
            return Group(
                phone: phone, isQueued: try row["queued"],
                receipts: ActivityEvents.events(in: try row["seen"], showsNewest: try row["shows_newest"]),
                count: try row["count"])
        }
    }

    func keep(_ stored: StoredActivityPhone) throws {
        let phone = stored.phone
        try execute(
            """
            UPDATE activity_phones SET settled = ?, reach = ?, finished = ?, gone = ?, rejected = ?, following = ?,
                events = ?, seen = ?, shown = ?
            WHERE number = ?
            """,
            [
                phone.settled, phone.reach.rawValue, phone.hasEnded, phone.isGone, phone.wasRejected,
                phone.isFollowing, try Self.json(stored.events), stored.events.reported,
                stored.events[.updated]?.timestamp, stored.number,
            ])
    }

    /// Stores that the push in a row of `deliveries` is the phone's.
    func keep(delivery: Int64, of phone: Int64) throws {
        try execute("UPDATE activity_phones SET delivery = ? WHERE number = ?", [delivery, phone])
    }

    // MARK: Users and devices

    /// Marks a user's Live Activities on a device to end there, because the user has left it.
    func withdraw(_ user: UserReference, from device: String) throws {
        try execute(
            "UPDATE activity_phones SET withdrawn = 1 WHERE device = ? AND app = ? AND user = ?",
            [device, user.app.rawValue, user.id])
    }

    /// Returns the numbers of Live Activities that were only for this user.
    func own(of user: UserReference) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM activities WHERE app = ? AND audience = ?
            UNION SELECT activity AS number FROM activity_phones AS own WHERE app = ? AND user = ?
                AND NOT EXISTS (SELECT 1 FROM activity_phones AS others WHERE others.activity = own.activity
                    AND others.user IS DISTINCT FROM ?)
            ORDER BY number
            """,
            [
                user.app.rawValue, Audience.users([user.id]).fingerprint, user.app.rawValue, user.id, user.id,
            ]
        ).map { try $0["number"] }
    }

    /// Removes a user's id from the phones of Live Activities, which end there.
    func forget(_ user: UserReference) throws {
        try execute(
            "UPDATE activity_phones SET user = NULL, withdrawn = 1 WHERE app = ? AND user = ?",
            [user.app.rawValue, user.id])
    }

    /// Moves an imported device's Live Activities to the installation that it becomes.
    func move(from device: String, to other: String) throws {
        try moveRows(in: "activity_phones", from: device, to: other, by: ["activity"])
    }

    /// Deletes a device's Live Activities and tokens.
    func drop(of device: String) throws {
        try execute("DELETE FROM activity_phones WHERE device = ?", [device])
        try execute("DELETE FROM activity_tokens WHERE device = ?", [device])
    }

    /// Deletes at most `limit` phones of a Live Activity, and returns their number.
    func purge(_ activity: Int64, limit: Int) throws -> Int {
        try changes(
            """
            DELETE FROM activity_phones WHERE activity = ?
                AND number IN (SELECT number FROM activity_phones WHERE activity = ? LIMIT ?)
            """, [activity, activity, limit])
    }

    /// Deletes the tokens of a Live Activity, which are useless after its end.
    func purgeTokens(of activity: StoredActivity) throws {
        try execute(
            "DELETE FROM activity_tokens WHERE app = ? AND type = ? AND id = ?",
            [activity.app.rawValue, activity.type, activity.id.rawValue])
    }

    // MARK: Tokens

    func tokens(of device: String) throws -> [LiveActivityToken] {
        try rows(Self.tokens(of: device)).map { row in
            guard let token = row.text("token").flatMap(DeviceToken.init(hex:)) else { throw row.unreadable("token") }
            let id: String = try row["id"]
            return LiveActivityToken(type: try row["type"], id: id.isEmpty ? nil : id, token: token)
        }
    }

    /// Returns the query of ``tokens(of:)``.
    static func tokens(of device: String) -> SQLStatement {
        SQLStatement(
            sql: "SELECT type, id, token FROM activity_tokens WHERE device = ? ORDER BY type, id", arguments: [device])
    }

    func keep(_ token: LiveActivityToken, of device: DeviceRecord) throws {
        try execute(
            """
            INSERT INTO activity_tokens (app, device, type, id, token, registered) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (device, type, id) DO UPDATE SET token = excluded.token, registered = excluded.registered,
                dead = NULL
            """,
            [
                device.app.number.rawValue, device.id, token.type, token.id ?? "", token.token.hex,
                now.millisecondsSince1970,
            ])
    }

    func delete(_ token: LiveActivityToken, of device: String) throws {
        try execute(
            "DELETE FROM activity_tokens WHERE device = ? AND type = ? AND id = ?",
            [device, token.type, token.id ?? ""])
    }

    /// Returns the time at which a device registered a token for a push; `nil` if it has another token by now.
    func registered(_ token: DeviceToken, _ pushed: ClaimedActivity, on device: String) throws -> Timestamp? {
        try row(
            "SELECT registered FROM activity_tokens WHERE device = ? AND type = ? AND id = ? AND token = ?",
            [device, pushed.type, pushed.tokenID, token.hex])?.timestamp("registered")
    }

    /// Stores that APNs has rejected a token.
    func retire(_ token: DeviceToken, _ pushed: ClaimedActivity, on device: String) throws {
        try execute(
            "UPDATE activity_tokens SET dead = ? WHERE device = ? AND type = ? AND id = ? AND token = ?",
            [now.millisecondsSince1970, device, pushed.type, pushed.tokenID, token.hex])
    }

    /// Records that a phone has registered a new token for a Live Activity.
    ///
    /// If it had another token before, or the Live Activity had ended there, the newest state is sent to the new token.
    ///
    /// - Parameters:
    ///   - token: the token; one that starts Live Activities changes nothing.
    ///   - isReplacement: whether the phone had another token for the Live Activity before.
    ///   - device: the phone.
    /// - Throws: the errors of the database.
    func note(_ token: LiveActivityToken, isReplacement: Bool, on device: String) throws {
        let settled = isReplacement ? "0" : "CASE WHEN gone = 1 THEN 0 ELSE settled END"
        try change("settled = \(settled), gone = 0, finished = 0, following = 0", token, on: device)
    }

    /// Records that a token is missing in a phone's new list, so that its Live Activity has ended on the phone.
    ///
    /// A phone that follows the channel has only lost the token with which it followed before.
    func noteLoss(of token: LiveActivityToken, on device: String) throws {
        try change("gone = CASE WHEN following = 1 THEN gone ELSE 1 END", token, on: device)
    }

    private func change(_ change: String, _ token: LiveActivityToken, on device: String) throws {
        guard let id = token.id else { return }
        try execute(
            """
            UPDATE activity_phones SET \(change) WHERE device = ? AND activity IN (SELECT activities.number
                FROM activities JOIN devices ON devices.app = activities.app
                WHERE devices.id = ? AND activities.type = ? AND activities.id = ?)
            """, [device, device, token.type, id])
    }
}

extension ClaimedActivity {
    /// The value of `activity_tokens.id` for the token to which the push goes.
    fileprivate var tokenID: String { event == .start ? "" : id.rawValue }
}

/// A phone of a Live Activity as the store keeps it.
struct StoredActivityPhone {
    let number: Int64
    let device: String
    let activity: StoredActivity
    /// Whether the table `deliveries` has a row for the phone's push.
    let isQueued: Bool
    /// The user for whom the phone got the Live Activity; `nil` for nobody, or after the user's erasure.
    let user: String?
    /// Whether the user for whom the phone got the Live Activity has left the phone.
    let isWithdrawn: Bool
    let environment: APNsEnvironment
    /// The number of the ``SendingChannel`` in which the phone's push waits.
    let channel: Int64
    var phone: ActivityPhone
    var events: ActivityEvents

    init(_ row: SQLRow, _ activity: StoredActivity) throws {
        self.activity = activity
        number = try row["number"]
        device = try row["device"]
        isQueued = try row["queued"]
        isWithdrawn = try row["withdrawn"]
        user = row.text("user")
        events = try row.json("events") ?? ActivityEvents()
        environment = try row.choice("environment")
        channel = SendingChannel.number(try row["app"], environment)
        var phone = try Self.phone(row, activity, isWithdrawn: isWithdrawn)
        phone.settled = try row["settled"]
        phone.isReachable =
            row.text("device_state") == DeviceRecord.State.active.rawValue && row.text("device_token") != nil
        phone.startToken = row.text("start_token").flatMap(DeviceToken.init(hex:))
        phone.updateToken = row.text("update_token").flatMap(DeviceToken.init(hex:))
        self.phone = phone
    }

    /// Decodes the columns of a phone that the rows of groups have too.
    static func phone(_ row: SQLRow, _ activity: StoredActivity, isWithdrawn: Bool) throws -> ActivityPhone {
        var phone = ActivityPhone(
            revision: activity.revision, startsUntil: activity.startsUntil, isOver: activity.isOver)
        phone.reach = try row.number("reach")
        phone.isEnding = activity.ended != nil || isWithdrawn
        phone.hasEnded = try row["finished"]
        phone.isGone = try row["gone"]
        phone.wasRejected = try row["rejected"]
        phone.isFollowing = try row["following"]
        if row["channel_number"] as Int64? != nil {
            phone.channel = row.text("channel_id").map { .open($0) } ?? .awaited
            let broadcast: Int = try row["broadcast"]
            phone.isBroadcastSettled =
                try activity.ended == nil ? broadcast >= activity.revision : row["broadcast_end"]
        } else {
            // The channel was deleted after the end.
            phone.isBroadcastSettled = true
        }
        return phone
    }
}
