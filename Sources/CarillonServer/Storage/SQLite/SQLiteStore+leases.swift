import CarillonCore
import GRDB

extension SQLiteStore {
    package func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await write(at: now) { try $0.claim(request) }
    }

    package func releaseLeases(of worker: String) async throws -> Int {
        try await write(at: Timestamp(millisecondsSince1970: 0)) { transaction in
            try transaction.execute(
                "UPDATE deliveries SET lease_owner = NULL, lease_until = NULL WHERE lease_owner = ?", [worker])
            return transaction.db.changesCount
        }
    }

    package func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await pool.read { db in
            let transaction = SQLiteTransaction(db: db, now: Timestamp(millisecondsSince1970: 0))
            let (condition, arguments) = SQLiteTransaction.condition(except: apps)
            return try transaction.row(
                """
                SELECT min(max(deliveries.due, coalesce(deliveries.lease_until, 0))) AS due
                FROM deliveries JOIN devices ON devices.id = deliveries.device
                    JOIN apps ON apps.number = devices.app
                WHERE deliveries.state = 'queued' AND \(condition)
                """, arguments
            )?.timestamp("due")
        }
    }
}

/// A lease makes a worker the owner of a queued delivery for a while.
///
/// It ends when its outcome is written down (`close` and `retry`), when `lease_until` has passed and another worker
/// claims the delivery, or when the worker's process starts again (`releaseLeases`).
extension SQLiteTransaction {
    fileprivate static func condition(except apps: Set<AppID>, only: AppID? = nil) -> (sql: String, StatementArguments)
    {
        var conditions = ["true"]
        var arguments: StatementArguments = []
        for app in apps.sorted(by: { $0.description < $1.description }) {
            conditions.append("NOT (apps.topic = ? AND devices.environment = ?)")
            arguments += [app.topic, app.environment.rawValue]
        }
        if let only {
            conditions.append("apps.topic = ? AND devices.environment = ?")
            arguments += [only.topic, only.environment.rawValue]
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    mutating func claim(_ request: ClaimRequest) throws -> Claim {
        let (condition, arguments) = Self.condition(except: request.except, only: request.only)
        let due = try rows(
            """
            SELECT deliveries.*, devices.app, apps.topic, devices.environment, devices.token, devices.token_registered,
                devices.state AS device_state, devices.user AS device_user, devices.silent_unanswered,
                devices.confirmed, devices.claimed_token, devices.claimed_environment, devices.claim_nonce,
                messages.id AS message_id, messages.mode, messages.until, messages.payload, messages.badge_is_unread,
                messages.dialect
            FROM deliveries JOIN devices ON devices.id = deliveries.device JOIN apps ON apps.number = devices.app
                LEFT JOIN messages ON messages.number = deliveries.message AND messages.app = devices.app
            WHERE deliveries.state = 'queued' AND deliveries.due <= ?
                AND (deliveries.lease_until IS NULL OR deliveries.lease_until <= ?) AND \(condition)
            ORDER BY deliveries.due, deliveries.number LIMIT ?
            """, [now.millisecondsSince1970, now.millisecondsSince1970] + arguments + [request.limit])
        var claimed: [ClaimedDelivery] = []
        for row in due where try isStillWanted(row) { claimed.append(try lease(row, for: request)) }
        return Claim(deliveries: claimed, events: events, examined: due.count)
    }

    private func lease(_ row: Row, for request: ClaimRequest) throws -> ClaimedDelivery {
        // The attempt is counted before it is made: after a crash it counts as one that may have arrived.
        try execute(
            """
            UPDATE deliveries SET lease_owner = ?, lease_until = ?, attempt = attempt + 1, tries = tries + 1,
                reach_before = reach, reach = max(reach, 1)
            WHERE number = ?
            """, [request.worker, request.leaseUntil.millisecondsSince1970, row["number"] as Int64])
        let purpose: PushPurpose = try row.choice("purpose")
        let (token, environment) = try address(row, purpose)
        let user = row.text("device_user").map { UserReference($0, of: AppNumber(rawValue: row["app"])) }
        let device: String = row["device"]
        let removals = try openRemovals(of: device, limit: ServiceLimits.removalsPerPush + 1)
        return ClaimedDelivery(
            number: row["number"], purpose: purpose, device: device,
            app: AppID(topic: row["topic"], environment: environment), token: token,
            tokenRegistered: try row.requiredTimestamp("token_registered"), revision: row["revision"],
            attempt: row["attempt"] + 1, tries: row["tries"] + 1, queued: try row.requiredTimestamp("queued"),
            message: try message(row), unread: try user.map(unreadCount),
            removals: Array(removals.prefix(ServiceLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > ServiceLimits.removalsPerPush,
            silentUnanswered: row["silent_unanswered"],
            nonce: purpose == .tokenClaim ? row.text("claim_nonce") : nil,
            hasUnanswered: try isOwnPush(row) && hasUnanswered(device))
    }

    /// Where a push goes: to the device's token, or to one that it claims.
    private func address(_ row: Row, _ purpose: PushPurpose) throws -> (DeviceToken, APNsEnvironment) {
        let (column, environment) =
            purpose == .tokenClaim ? ("claimed_token", "claimed_environment") : ("token", "environment")
        guard let token = row.text(column).flatMap(DeviceToken.init(hex:)) else { throw row.unreadable(column) }
        return (token, try row.choice(environment))
    }

    private func message(_ row: Row) throws -> ClaimedMessage? {
        guard !row.isAboutNoMessage else { return nil }
        return ClaimedMessage(
            id: try row.messageID("message_id"), mode: try row.choice("mode"), until: row.timestamp("until"),
            payload: try row.payload("payload"), badgeIsUnreadCount: row["badge_is_unread"],
            dialect: try row.choice("dialect"))
    }

    /// Whether it brings no message but is about the service's own business.
    private func isOwnPush(_ row: Row) throws -> Bool {
        let purpose: PushPurpose = try row.choice("purpose")
        return purpose == .removal || purpose == .badge
    }

    private func hasUnanswered(_ device: String) throws -> Bool {
        try integer(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries JOIN messages ON messages.number = deliveries.message
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
}
