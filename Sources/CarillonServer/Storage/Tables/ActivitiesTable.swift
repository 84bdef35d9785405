import CarillonCore
import Foundation

/// Reads and writes the tables `activities` and `activity_requests`: Live Activities, and the idempotency keys of calls about them.
struct ActivitiesTable: StoreTable {
    let session: StoreSession

    func activity(_ id: MessageID, of app: AppNumber) throws -> StoredActivity? {
        try row("SELECT * FROM activities WHERE app = ? AND id = ?", [app.rawValue, id.rawValue])
            .map(StoredActivity.init)
    }

    func activity(_ number: Int64) throws -> StoredActivity? {
        try row("SELECT * FROM activities WHERE number = ?", [number]).map(StoredActivity.init)
    }

    /// Inserts a Live Activity, and returns its number; `nil` if the app already has one with this id.
    func insert(_ new: NewActivity) throws -> Int64? {
        try insertNumbered(
            """
            INSERT INTO activities (app, id, type, attributes, alert, content, revision, stamp, started, changed, devices,
                fingerprint, audience)
            SELECT number, ?, ?, ?, ?, ?, 1, ?, ?, ?, 0, ?, ? FROM apps WHERE number = ?
            ON CONFLICT (app, id) DO NOTHING
            """,
            [
                new.id.rawValue, new.type, try JSONValue.object(new.attributes).encoded(),
                try JSONValue.object(new.alert).encoded(),
                try JSONValue.object(new.content).encoded(), now.secondsSince1970, now.millisecondsSince1970,
                now.millisecondsSince1970, new.fingerprint, new.audience.fingerprint, new.app.number.rawValue,
            ])
    }

    /// Stores the number of phones that a Live Activity is for, and the reason if there is none.
    func note(devices: Int, _ reason: NobodyReason?, of activity: Int64) throws {
        try execute(
            "UPDATE activities SET devices = ?, nobody = ? WHERE number = ?", [devices, reason?.rawValue, activity])
    }

    /// Stores for whom a Live Activity with channels is.
    func keep(_ recipients: StepwiseWork.Addressing.Recipients, of activity: Int64) throws {
        try execute("UPDATE activities SET recipients = ? WHERE number = ?", [try Self.json(recipients), activity])
    }

    /// Returns for whom a Live Activity with channels is; `nil` for one without.
    func recipients(of activity: Int64) throws -> StepwiseWork.Addressing.Recipients? {
        try row("SELECT recipients FROM activities WHERE number = ?", [activity])?.json("recipients")
    }

    /// Deletes for whom a Live Activity with channels is, because its phones are known.
    func forgetRecipients(of activity: Int64) throws {
        try execute("UPDATE activities SET recipients = NULL WHERE number = ?", [activity])
    }

    /// Removes an erased user from the Live Activities whose channels are not made yet.
    func forget(_ user: UserReference) throws {
        let waiting = try rows(
            "SELECT number, recipients FROM activities WHERE app = ? AND recipients IS NOT NULL", [user.app.rawValue])
        for row in waiting {
            guard case .users(let users)? = try row.json("recipients") as StepwiseWork.Addressing.Recipients?,
                users.contains(user.id)
            else { continue }
            try keep(.users(users.filter { $0 != user.id }), of: row["number"])
        }
    }

    /// Stores a newer revision of a Live Activity.
    func keep(_ activity: StoredActivity) throws {
        try execute(
            "UPDATE activities SET content = ?, revision = ?, stamp = ?, changed = ?, ended = ? WHERE number = ?",
            [
                try JSONValue.object(activity.content).encoded(), activity.revision, activity.stamp,
                activity.changed.millisecondsSince1970, activity.ended?.millisecondsSince1970, activity.number,
            ])
    }

    /// Deletes what a Live Activity shows, and ends it, because its only user is erased.
    func empty(_ numbers: [Int64]) throws {
        let empty = try JSONValue.object(JSONObject()).encoded()
        try execute(
            """
            UPDATE activities SET attributes = ?, alert = ?, content = ?, ended = coalesce(ended, ?), changed = ?
            WHERE \(dialect.isAmongIntegers("number"))
            """, [empty, empty, empty, now.millisecondsSince1970, now.millisecondsSince1970, Self.integers(numbers)])
    }

    // MARK: Repeated requests

    /// Returns the number of the Live Activity that an earlier request with this key was about, and that request's hash.
    func request(_ key: IdempotencyKey) throws -> (activity: Int64, fingerprint: Data)? {
        try row(
            "SELECT activity, fingerprint FROM activity_requests WHERE owner = ? AND key = ?", [key.owner, key.key]
        )
        .map { try ($0["activity"], $0["fingerprint"]) }
    }

    func remember(_ key: IdempotencyKey?, _ fingerprint: Data, _ activity: Int64, of app: AppNumber) throws {
        guard let key else { return }
        try execute(
            "INSERT INTO activity_requests (owner, key, app, activity, fingerprint, at) VALUES (?, ?, ?, ?, ?, ?)",
            [key.owner, key.key, app.rawValue, activity, fingerprint, now.millisecondsSince1970])
    }

    // MARK: Deletion

    /// Returns the numbers of at most `limit` Live Activities that have not changed since ``StoreSession/now``.
    ///
    /// Here this is not the present: the caller sets it to the time at which the retention period began.
    func old(limit: Int) throws -> [Int64] {
        try rows(
            """
            SELECT number FROM activities WHERE changed < ?
                AND NOT EXISTS (SELECT 1 FROM activity_channels WHERE activity_channels.activity = activities.number)
            ORDER BY changed LIMIT ?
            """,
            [now.millisecondsSince1970, limit]
        ).map { try $0["number"] }
    }

    /// Returns the numbers of at most `limit` Live Activities of an app.
    func any(of app: AppNumber, limit: Int) throws -> [Int64] {
        try rows("SELECT number FROM activities WHERE app = ? LIMIT ?", [app.rawValue, limit]).map { try $0["number"] }
    }

    /// Deletes a Live Activity and the idempotency keys of calls about it.
    func delete(_ number: Int64) throws {
        try execute("DELETE FROM activity_requests WHERE activity = ?", [number])
        try execute("DELETE FROM activities WHERE number = ?", [number])
    }
}

/// A Live Activity as the store keeps it.
struct StoredActivity {
    let number: Int64
    let app: AppNumber
    let id: MessageID
    let type: String
    let attributes: JSONObject
    let alert: JSONObject
    var content: JSONObject
    var revision: Int
    /// The `timestamp` of the newest revision, in seconds since 1970.
    var stamp: Int64
    let started: Timestamp
    var changed: Timestamp
    var ended: Timestamp?
    let devices: Int
    let nobody: NobodyReason?
    let fingerprint: Data

    /// Decodes a row of the table `activities`.
    ///
    /// - Throws: ``ServiceError`` if a column cannot be decoded.
    init(_ row: SQLRow) throws {
        number = try row["number"]
        app = AppNumber(rawValue: try row["app"])
        id = try row.messageID("id")
        type = try row["type"]
        attributes = try row.jsonObject("attributes")
        alert = try row.jsonObject("alert")
        content = try row.jsonObject("content")
        revision = try row["revision"]
        stamp = try row["stamp"]
        started = try row.requiredTimestamp("started")
        changed = try row.requiredTimestamp("changed")
        ended = row.timestamp("ended")
        devices = try row["devices"]
        nobody = row.text("nobody").flatMap(NobodyReason.init(rawValue:))
        fingerprint = try row["fingerprint"]
    }

    /// The time after which the Live Activity is not started on further phones.
    var startsUntil: Timestamp {
        let longest = started + StoreLimits.activityStart
        return min(longest, content["stale-date"]?.intValue.map { Timestamp(secondsSince1970: Int64($0)) } ?? longest)
    }

    /// The time at which iOS has removed the Live Activity from all phones.
    var isOver: Timestamp { started + StoreLimits.activityLifetime }
}

extension SQLRow {
    func jsonObject(_ column: String) throws -> JSONObject {
        guard let data: Data = self[column], let members = try? JSONValue(parsing: data).members else {
            throw unreadable(column)
        }
        return members
    }
}
