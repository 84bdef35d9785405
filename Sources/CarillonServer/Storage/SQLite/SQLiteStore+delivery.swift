import CarillonCore
import GRDB

extension SQLiteStore {
    public func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await write(at: now) { try $0.claim(request) }
    }

    public func settle(
        _ settlements: [Settlement], worker: String, at now: Timestamp
    ) async throws -> [TimelineEvent] {
        try await write(at: now) { transaction in
            for settlement in settlements { try transaction.settle(settlement, worker: worker) }
            return transaction.events
        }
    }

    public func releaseLeases(of worker: String) async throws -> Int {
        try await write(at: Timestamp(millisecondsSince1970: 0)) { transaction in
            try transaction.execute(
                "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?", [worker])
            return transaction.db.changesCount
        }
    }

    public func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await pool.read { db in
            let transaction = SQLiteTransaction(db: db, now: Timestamp(millisecondsSince1970: 0))
            let (condition, arguments) = SQLiteTransaction.condition(except: apps)
            return try transaction.row(
                """
                SELECT min(max(deliveries.due, coalesce(deliveries.lease_until, 0))) AS due
                FROM deliveries JOIN devices ON devices.id = deliveries.device
                WHERE deliveries.state = 'queued' AND \(condition)
                """, arguments
            )?.timestamp("due")
        }
    }
}

extension SQLiteTransaction {
    static func condition(except apps: Set<AppID>, only: AppID? = nil) -> (sql: String, StatementArguments) {
        var conditions = ["true"]
        var arguments: StatementArguments = []
        for app in apps.sorted(by: { $0.description < $1.description }) {
            conditions.append("NOT (devices.topic = ? AND devices.environment = ?)")
            arguments += [app.topic, app.environment.rawValue]
        }
        if let only {
            conditions.append("devices.topic = ? AND devices.environment = ?")
            arguments += [only.topic, only.environment.rawValue]
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    mutating func claim(_ request: ClaimRequest) throws -> Claim {
        let (condition, arguments) = Self.condition(except: request.except, only: request.only)
        let due = try rows(
            """
            SELECT deliveries.*, devices.topic, devices.environment, devices.token, devices.token_registered,
                devices.state AS device_state, devices.user AS device_user, devices.silent_unanswered,
                messages.mode, messages.until, messages.payload, messages.badge_is_unread, messages.dialect
            FROM deliveries JOIN devices ON devices.id = deliveries.device
                LEFT JOIN messages ON messages.id = deliveries.message
            WHERE deliveries.state = 'queued' AND deliveries.due <= ?
                AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= ?) AND \(condition)
            ORDER BY deliveries.due, deliveries.number LIMIT ?
            """, [now.millisecondsSince1970, now.millisecondsSince1970] + arguments + [request.limit])
        var claimed: [ClaimedDelivery] = []
        for row in due where try isStillWanted(row) { claimed.append(try lease(row, for: request)) }
        return Claim(deliveries: claimed, events: events, examined: due.count)
    }

    /// Finishes what must not be sent any more.
    private mutating func isStillWanted(_ row: Row) throws -> Bool {
        let isRemoval = row["purpose"] == PushPurpose.removal.rawValue
        if row.text("message") == nil || isRemoval {
            let needed = try isPushNeeded(row)
            if !needed { try execute("DELETE FROM deliveries WHERE number = ?", [row["number"] as Int64]) }
            return needed
        }
        if let why = try obstacle(row) {
            try cancel(row, why: why)
            return false
        }
        if let until = row.timestamp("until"), until <= now {
            try finish(row, as: .expired, .expired, "not sent: its time had passed")
            return false
        }
        if try row.requiredTimestamp("queued") + ServiceLimits.deliveryLifetime <= now {
            try finish(row, as: .expired, .expired, "not sent: it waited for 30 days")
            return false
        }
        return true
    }

    /// What has happened since it was queued (or while an attempt was in flight) that forbids sending it.
    private func obstacle(_ row: Row) throws -> String? {
        let user: String? = row["user"]
        if row["device_state"] != DeviceRecord.State.active.rawValue || (row["token"] as String?) == nil {
            return "the device has no valid token"
        }
        if let user, user != row.text("device_user") { return Removal.Reason.signOut.cancellation }
        let removal = try self.row(
            "SELECT reason FROM removals WHERE device = ? AND message = ? AND revision >= ?",
            [row["device"] as String, row["message"] as String, row["revision"] as Int])
        return try removal.map { try ($0.choice("reason") as Removal.Reason).cancellation }
    }

    private func isPushNeeded(_ row: Row) throws -> Bool {
        guard row["token"] as String? != nil, row["device_state"] == DeviceRecord.State.active.rawValue else {
            return false
        }
        let purpose: PushPurpose = try row.choice("purpose")
        guard purpose == .removal else { return (row["device_user"] as String?) != nil }
        if let message = row.text("message") {
            return try integer(
                "SELECT count(*) FROM removals WHERE device = ? AND message = ? AND confirmed IS NULL",
                [row["device"] as String, message]) > 0
        }
        return try !openRemovals(of: row["device"], limit: 1).isEmpty
    }

    mutating func finish(
        _ row: Row, as state: DeliveryState, _ event: TimelineEventKind, _ detail: String
    ) throws {
        try execute(
            "UPDATE deliveries SET state = ?, lease_owner = NULL, lease_until = NULL WHERE number = ?",
            [state.rawValue, row["number"] as Int64])
        try record(
            TimelineEvent(
                message: try row.messageID("message"), device: row["device"], event: event, at: now,
                purpose: try row.choice("purpose"), revision: row["revision"], detail: detail))
    }

    private func lease(_ row: Row, for request: ClaimRequest) throws -> ClaimedDelivery {
        // The attempt is counted before it is made: after a crash it counts as one that may have arrived.
        try execute(
            """
            UPDATE deliveries SET lease_owner = ?, lease_until = ?, attempt = attempt + 1, tries = tries + 1,
                reach_before = reach, reach = max(reach, 1)
            WHERE number = ?
            """, [request.worker, request.leaseUntil.millisecondsSince1970, row["number"] as Int64])
        guard let hex: String = row["token"], let token = DeviceToken(hex: hex) else { throw row.unreadable("token") }
        let user: String? = row["device_user"]
        let device: String = row["device"]
        let removals = try openRemovals(of: device, limit: ServiceLimits.removalsPerPush + 1)
        return ClaimedDelivery(
            number: row["number"], purpose: try row.choice("purpose"), device: device,
            app: AppID(topic: row["topic"], environment: try row.choice("environment")), token: token,
            tokenRegistered: try row.requiredTimestamp("token_registered"), revision: row["revision"],
            attempt: row["attempt"] + 1, tries: row["tries"] + 1, queued: try row.requiredTimestamp("queued"),
            message: try message(row), unread: try user.map(unreadCount),
            removals: Array(removals.prefix(ServiceLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > ServiceLimits.removalsPerPush,
            silentUnanswered: row["silent_unanswered"],
            hasUnanswered: try isOwnPush(row) && hasUnanswered(device))
    }

    /// Whether it brings no message but is about the service's own business.
    private func isOwnPush(_ row: Row) throws -> Bool {
        let purpose: PushPurpose = try row.choice("purpose")
        return purpose == .removal || purpose == .badge
    }

    private func hasUnanswered(_ device: String) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries JOIN messages ON messages.id = deliveries.message
                WHERE deliveries.device = ? AND deliveries.message IS NOT NULL AND deliveries.state = 'accepted'
                AND deliveries.queued > ? AND (messages.until IS NULL OR messages.until > ?)
                AND NOT EXISTS (SELECT 1 FROM removals
                    WHERE removals.device = deliveries.device AND removals.message = deliveries.message)
                AND NOT EXISTS (SELECT 1 FROM events WHERE events.message = deliveries.message
                    AND events.device = deliveries.device AND events.revision = deliveries.revision
                    AND receipt IS NOT NULL))
            """,
            [
                device, (now - ServiceLimits.deliveryLifetime).millisecondsSince1970, now.millisecondsSince1970,
            ]) > 0
    }

    private func message(_ row: Row) throws -> ClaimedMessage? {
        guard row.text("message") != nil else { return nil }
        return ClaimedMessage(
            id: try row.messageID("message"), mode: try row.choice("mode"), until: row.timestamp("until"),
            payload: try row.payload("payload"), badgeIsUnreadCount: row["badge_is_unread"],
            dialect: try row.choice("dialect"))
    }
}
