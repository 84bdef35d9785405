import CarillonCore
import Foundation

extension TransactionalStore {
    package func claim(_ request: ClaimRequest, at now: Timestamp) async throws -> Claim {
        try await write(at: now) { try $0.claim(request) }
    }

    package func waiting(in app: AppNumber, atMost limit: Int) async throws -> Int {
        let open = APNsEnvironment.allCases.map { StoreTransaction.channel(app.rawValue, $0) }
        // What is held waits too.
        let channels = open + open.map { -1 - $0 }
        return try await read { transaction in
            try transaction.integer(
                """
                SELECT count(*) FROM (SELECT 1 FROM deliveries
                    WHERE state = 'queued' AND sender IS NULL AND channel IN (?, ?, ?, ?) LIMIT ?) AS found
                """, SQLArguments(channels) + [limit])
        }
    }

    package func nextDue(except apps: Set<AppID>) async throws -> Timestamp? {
        try await read { transaction in
            let waiting = try transaction.nextDue(in: transaction.waitingChannels(except: apps), [:])
            let ranges = try transaction.nextRangeDue(transaction.openChannels(except: apps), [:], for: nil)
            return [waiting, ranges, try transaction.nextWorkDue()].compactMap(\.self).min()
        }
    }
}

/// What is due goes to the sender that asks for it.
extension StoreTransaction {
    mutating func claim(_ request: ClaimRequest) throws -> Claim {
        try requireLive(request.sender)
        let carried = try goOn()
        // What this has stopped is not handed over, and removals that it has begun go with the pushes that follow.
        try keepChunks()
        let open = try openChannels(except: request.except, only: request.only)
        let mayFeed = min(request.bulkLimit, request.limit)
        let fed = try feedFollowUps(open, limit: mayFeed)
        let channels = try waitingChannels(except: request.except, only: request.only)
        var buckets = try buckets()
        let due = try due(request, channels, &buckets)
        var claimed = try lease(due, to: request.sender)
        let isAlone = claimed.allSatisfy { $0.lane == .bulk }
        // A single message goes out when this has ended.
        let bulk = isAlone ? request.bulkLimit : min(request.bulkLimit, ServiceLimits.pushesWithSingleMessage)
        let room = min(bulk - claimed.count { $0.lane == .bulk }, request.limit - claimed.count)
        let removals = try claimRemovals(request, limit: room, &buckets)
        let ranges = try claimRanges(request, limit: room - removals.claimed.count, &buckets)
        try write(buckets)
        try keepChunks()
        // What finds no place now is asked for when one is given back.
        let hasRoom = room > removals.claimed.count + ranges.claimed.count
        let next = hasRoom ? try nextRangeDue(open, buckets, for: request.sender) : nil
        let waiting = try nextDue(in: channels, buckets, lanes: hasRoom ? DeliveryLane.allCases : [.single])
        claimed += removals.claimed
        return Claim(
            deliveries: claimed.isEmpty ? ranges.claimed : claimed + ranges.claimed, events: events,
            examined: due.count + carried + fed + removals.examined + ranges.examined,
            nextDue: [waiting, next, try nextWorkDue()].compactMap(\.self).min())
    }

    // MARK: Leases

    private mutating func lease(_ numbers: [Int64], to sender: SenderNumber) throws -> [ClaimedDelivery] {
        var claimed: [ClaimedDelivery] = []
        var ahead = try readDue(numbers)
        for number in numbers {
            do {
                guard let reading = try ahead.take(number, orElse: { try readDue($0) }) else { continue }
                if let delivery = try lease(reading, to: sender) { claimed.append(delivery) }
            } catch let error as any EngineError {
                throw error
            } catch {
                try setAside(number, because: error)
            }
        }
        return claimed
    }

    /// What is asked of each push that is due, with its device.
    private func readDue(_ numbers: [Int64]) throws -> DeliveriesAhead {
        let ahead = try readAhead(
            numbers,
            """
            deliveries.number, deliveries.message, deliveries.device, deliveries.purpose, deliveries.lane,
            \(Push.columns.map { "deliveries.\($0)" }.joined(separator: ", ")),
            devices.app, apps.topic, devices.environment, devices.token, devices.state AS device_state,
            devices.user AS device_user, devices.ordinal, devices.locale, devices.confirmed, devices.claimed_token,
            devices.claimed_environment, devices.claim_nonce, \(Self.unreadOfDevice) AS unread, \(Self.hasRemovals) AS has_removals
            """,
            """
            LEFT JOIN devices ON devices.id = deliveries.device LEFT JOIN apps ON apps.number = devices.app
            LEFT JOIN unread ON unread.app = devices.app AND unread.user = devices.user
            """, [now.millisecondsSince1970, now.millisecondsSince1970])
        try readContents(of: ahead.messages)
        return ahead
    }

    private static let hasRemovals =
        """
        EXISTS (SELECT 1 FROM removals WHERE removals.device = deliveries.device AND removals.confirmed IS NULL)
        """

    /// - Returns: what to send; `nil` when it must not be sent any more, which is written down.
    private mutating func lease(
        _ reading: DeliveriesAhead.Reading, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let purpose: PushPurpose = try reading.push.choice("purpose")
        switch purpose {
        case .show, .fallback, .notice: return try lease(purpose, reading, to: sender)
        case .removal, .badge, .tokenCheck, .tokenClaim: return try lease(own: purpose, reading, to: sender)
        }
    }

    private mutating func lease(
        _ purpose: PushPurpose, _ reading: DeliveriesAhead.Reading, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let row = reading.push
        guard var stored = try delivery(of: reading) else { throw row.unreadable("message") }
        if stored.isPaused, purpose != .notice {
            try hold(row["number"])
            return nil
        }
        if stored.isRanged, stored.delivery.show.revision < stored.newest, purpose != .notice {
            // Its chunk is still to be decided on anew.
            try receive(.cancelled("replaced by a newer revision before it was sent"), for: &stored)
            return nil
        }
        let standing = DeviceStanding(
            isReachable: row.text("device_state") == DeviceRecord.State.active.rawValue && row.text("token") != nil,
            user: row.text("device_user"))
        if let end = stored.delivery.hindrance(to: purpose, standing, until: stored.until, SendingRules(), at: now) {
            try receive(end, for: &stored)
            return nil
        }
        // Read before anything is changed: what cannot be read is not leased.
        let content = try message(of: stored, for: row)
        var leased = stored
        try receive(.leased(purpose, to: sender), for: &leased)
        guard let push = leased.delivery[purpose] else { return nil }
        return try claimed(row, purpose, push, content)
    }

    private mutating func lease(
        own purpose: PushPurpose, _ reading: DeliveriesAhead.Reading, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let (row, number): (SQLRow, Int64) = (reading.push, reading.push["number"])
        guard try isNeeded(purpose, row) else {
            try execute("DELETE FROM deliveries WHERE number = ?", [number])
            return nil
        }
        var push = try row.push()
        let stored = try (row["message"] as Int64?).flatMap { _ in try delivery(of: reading) }
        let content = try stored.map { try message(of: $0, for: row) }
        _ = push.lease(to: sender)
        let claimed = try claimed(row, purpose, push, content)
        try write(push, number)
        if purpose == .removal, stored == nil { cache.told.insert(claimed.device) }
        return claimed
    }

    /// What a device gets: in its language, with its user's values.
    private mutating func message(of stored: StoredDelivery, for device: SQLRow) throws -> ClaimedMessage {
        let row = try contentRow(of: stored.message)
        let user = stored.owner.map { UserReference($0, of: AppNumber(rawValue: device["app"])) }
        return ClaimedMessage(
            id: stored.id, mode: stored.delivery.mode, until: stored.until,
            payload: try payload(of: row, stored.message, in: device.text("locale"), for: user),
            badgeIsUnreadCount: row["badge_is_unread"], dialect: stored.dialect,
            notice: try (row["notice"] as Data?).map { try CarillonJSON.decode(RecallNotice.self, from: $0) },
            keepsReplies: row["keeps_replies"])
    }

    private func claimed(_ row: SQLRow, _ purpose: PushPurpose, _ push: Push, _ message: ClaimedMessage?) throws
        -> ClaimedDelivery
    {
        guard let sender = push.sender else { throw row.unreadable("sender") }
        let (token, environment) = try address(row, purpose)
        let user = row.text("device_user").map { UserReference($0, of: AppNumber(rawValue: row["app"])) }
        let device: String = row["device"]
        let removals = try openRemovals(row)
        let mayTakeAPlace = purpose == .removal || purpose == .badge
        return ClaimedDelivery(
            number: row["number"], purpose: purpose, lease: Lease(sender: sender, epoch: push.epoch),
            lane: try row.number("lane"), device: device, app: AppID(topic: row["topic"], environment: environment),
            token: token, revision: push.revision, attempt: push.attempt, message: message,
            unread: try user.map { try row["unread"] + unreadRanged(of: $0).count },
            removals: Array(removals.prefix(ServiceLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > ServiceLimits.removalsPerPush,
            nonce: purpose == .tokenClaim ? row.text("claim_nonce") : nil,
            hasUnanswered: try mayTakeAPlace && hasUnanswered(device))
    }

    /// What a device is to remove.
    private func openRemovals(_ row: SQLRow) throws -> [Removal] {
        let ranged = try (row["ordinal"] as Int64?).map { ordinal in
            try rangedRemovals(of: ordinal, in: askedExtracts(over: ordinal...ordinal, of: row["app"]))
        }
        guard row["has_removals"] || ranged?.isEmpty == false else { return [] }
        return try openRemovals(of: row["device"], ranged ?? [], limit: ServiceLimits.removalsPerPush + 1)
    }

    /// Where a push goes: to the device's token, or to one that it claims.
    private func address(_ row: SQLRow, _ purpose: PushPurpose) throws -> (DeviceToken, APNsEnvironment) {
        let (column, environment) =
            purpose == .tokenClaim ? ("claimed_token", "claimed_environment") : ("token", "environment")
        guard let token = row.text(column).flatMap(DeviceToken.init(hex:)) else { throw row.unreadable(column) }
        return (token, try row.choice(environment))
    }

    /// Whether a message may be waiting at APNs for the device: accepted, not expired, not to be removed, and the device
    /// has said nothing about it.
    private func hasUnanswered(_ device: String) throws -> Bool {
        if try hasUnansweredRange(device) { return true }
        return try integer("SELECT EXISTS (\(Self.unanswered("= ?")))", [device] + unansweredSince) > 0
    }

    /// Those of several devices of which that is so by their rows; `names` are their ids, as a JSON array.
    func devicesUnanswered(_ names: String) throws -> Set<String> {
        let named = Self.unanswered("IN (SELECT value FROM \(dialect.textsOfJSON) AS named)")
        return Set(try rows(named, [names] + unansweredSince).map { $0["device"] as String })
    }

    private var unansweredSince: SQLArguments {
        [(now - ServiceLimits.deliveryLifetime).millisecondsSince1970, now.millisecondsSince1970]
    }

    private static func unanswered(_ devices: String) -> String {
        """
        SELECT deliveries.device FROM deliveries JOIN messages ON messages.number = deliveries.message
        WHERE deliveries.device \(devices) AND deliveries.purpose = 'show' AND deliveries.state = 'accepted'
            AND deliveries.answers = 0 AND deliveries.queued > ? AND (messages.until IS NULL OR messages.until > ?)
            AND NOT EXISTS (SELECT 1 FROM removals
                WHERE removals.device = deliveries.device AND removals.message = deliveries.message)
        """
    }
}
