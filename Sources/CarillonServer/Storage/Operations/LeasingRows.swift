import CarillonAPNs
import CarillonCore
import Foundation

/// Claims pushes that have rows in `deliveries`, those of ``DeliveryLane/single`` before those of ``DeliveryLane/bulk``.
///
/// Within each of these two queues, the pushes that fell due first come first.
struct LeasingRows: SessionPart {
    let session: StoreSession
    private let messages: MessagesTable
    private let ranges: RangesTable
    private let deliveries: DeliveriesTable
    private let kept: KeptDeliveries
    private let own: OwnPushes
    private let removals: RemovalsTable
    private let activities: LiveActivityPushes
    private let unread: UnreadMessages
    private let bits: DeviceChunks
    private let atAPNs: KeptByAPNs
    private let channels: SendingChannels

    init(_ session: StoreSession) {
        self.session = session
        messages = MessagesTable(session)
        ranges = RangesTable(session)
        deliveries = DeliveriesTable(session)
        kept = KeptDeliveries(session)
        own = OwnPushes(session)
        removals = RemovalsTable(session)
        activities = LiveActivityPushes(session)
        unread = UnreadMessages(session)
        bits = DeviceChunks(session)
        atAPNs = KeptByAPNs(session)
        channels = SendingChannels(session)
    }

    // MARK: Due pushes

    /// Returns the row numbers of the due pushes that the sender may claim.
    ///
    /// The pushes of ``DeliveryLane/single`` come first, then those of ``DeliveryLane/bulk``, each in the order of their due
    /// times. The result has at most as many pushes as `request` asks for. For each app, it has at most as many as the app's rate
    /// limit allows now.
    func due(
        _ request: ClaimRequest, _ channels: [Int64], _ buckets: inout [Int64: TokenBucket]
    ) throws -> [Int64] {
        let full = try Set(request.bulkExcept.compactMap(self.channels.channel(of:)))
        let bulkChannels = channels.filter { !full.contains($0) }
        let bulkLimit = min(request.bulkLimit, request.limit)
        try foresee(
            queries(.single, channels, buckets, limit: request.limit)
                + queries(.bulk, bulkChannels, buckets, limit: bulkLimit))
        let single = try due(.single, channels, &buckets, looking: request.limit, limit: request.limit)
        let bulk = try due(
            .bulk, bulkChannels, &buckets, looking: bulkLimit, limit: min(bulkLimit, request.limit - single.count))
        return single + bulk
    }

    /// Returns the queries for the due pushes of channels, except those of apps whose rate limits allow none.
    private func queries(
        _ lane: DeliveryLane, _ channels: [Int64], _ buckets: [Int64: TokenBucket], limit: Int
    ) -> [SQLStatement] {
        channels.compactMap { channel in
            let limit = min(limit, buckets[SendingChannel.app(of: channel)]?.available(to: lane) ?? limit)
            guard limit > 0 else { return nil }
            // No push waits longer than this. A later due time was stored before the clock was set back.
            return DeliveriesTable.due(
                lane, channel, at: now, orAfter: now + StoreLimits.longestTurn, limit: limit)
        }
    }

    private func due(
        _ lane: DeliveryLane, _ channels: [Int64], _ buckets: inout [Int64: TokenBucket], looking: Int, limit: Int
    ) throws -> [Int64] {
        guard limit > 0 else { return [] }
        var found: [(due: Int64, number: Int64, app: Int64)] = []
        for channel in channels {
            let app = SendingChannel.app(of: channel)
            for query in queries(lane, [channel], buckets, limit: looking) {
                found += try rows(query).map { try ($0["due"], $0["number"], app) }
            }
        }
        var numbers: [Int64] = []
        for delivery in found.sorted(by: { ($0.due, $0.number) < ($1.due, $1.number) }) where numbers.count < limit {
            // Both environments of an app share its token bucket.
            if let bucket = buckets[delivery.app], bucket.available(to: lane) == 0 { continue }
            buckets[delivery.app]?.take(1)
            numbers.append(delivery.number)
        }
        return numbers
    }

    /// Returns the earliest time at which a waiting push in these channels may be sent; `nil` if none waits.
    ///
    /// - Parameters:
    ///   - channels: the numbers of the channels (``SendingChannel``), each an app in one APNs environment.
    ///   - buckets: the rate limits, by app number.
    ///   - lanes: the queues (``DeliveryLane``) to consider. The default is both.
    /// - Returns: the time.
    /// - Throws: the errors of the database.
    func nextDue(
        in channels: [Int64], _ buckets: [Int64: TokenBucket], lanes: [DeliveryLane] = DeliveryLane.allCases
    ) throws -> Timestamp? {
        var moments: [Timestamp] = []
        for channel in channels {
            for lane in lanes {
                guard let due = try deliveries.nextDue(lane, in: channel) else { continue }
                let bucket = buckets[SendingChannel.app(of: channel)]
                moments.append(bucket.map { $0.available(to: lane) == 0 ? max(due, $0.next(for: lane)) : due } ?? due)
            }
        }
        return moments.min()
    }

    // MARK: Leases

    func lease(_ numbers: [Int64], to sender: SenderNumber) throws -> [ClaimedDelivery] {
        var claimed: [ClaimedDelivery] = []
        var ahead = try readDue(numbers)
        // The counts stay right, because no later step of this transaction changes an inbox.
        let icons = try unread.numbers(of: ahead.users)
        // Caches what each push needs before the first one changes anything.
        for app in ahead.apps { _ = try ranges.isAsking(app) }
        for number in numbers {
            do {
                guard let reading = try ahead.take(number, orElse: { try readDue($0) }) else { continue }
                if let delivery = try lease(reading, icons, to: sender) { claimed.append(delivery) }
            } catch let error as any EngineError {
                throw error
            } catch {
                try deliveries.setAside(number, because: error)
            }
        }
        return claimed
    }

    /// Reads the rows of due pushes together with their deliveries, devices and message contents.
    private func readDue(_ numbers: [Int64]) throws -> DeliveriesAhead {
        let ahead = try kept.readAhead(
            numbers,
            """
            deliveries.number, deliveries.message, deliveries.device, deliveries.purpose, deliveries.lane,
            \(Push.columns.map { "deliveries.\($0)" }.joined(separator: ", ")),
            devices.app, apps.topic, devices.environment, devices.token, devices.state AS device_state,
            devices.user AS device_user, devices.ordinal, devices.locale, devices.confirmed, devices.claimed_token,
            devices.claimed_environment, devices.claim_nonce, \(Self.hasRemovals) AS has_removals
            """,
            "LEFT JOIN devices ON devices.id = deliveries.device LEFT JOIN apps ON apps.number = devices.app")
        try foresee(
            [RangesTable.anyRange, messages.contents(of: ahead.messages)].compactMap(\.self)
                + unread.first(of: ahead.users) + ahead.apps.map(ranges.asking))
        try messages.readContents(of: ahead.messages)
        return ahead
    }

    private static let hasRemovals =
        """
        EXISTS (SELECT 1 FROM removals WHERE removals.device = deliveries.device AND removals.confirmed IS NULL)
        """

    /// Leases one push to a sender, so that no other sender sends the push.
    ///
    /// - Returns: the push; `nil` if it must not be sent now. In this case, the function has put the push on hold, ended it or
    ///   deleted its row.
    private func lease(
        _ reading: DeliveriesAhead.Reading, _ icons: UnreadNumbers, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let purpose: PushPurpose = try reading.push.choice("purpose")
        switch purpose {
        case .show, .fallback, .notice: return try lease(purpose, reading, icons, to: sender)
        case .removal, .badge, .tokenCheck, .tokenClaim: return try lease(own: purpose, reading, icons, to: sender)
        case .liveActivity: return try activities.lease(reading.push, to: sender)
        case .widgets: return try WidgetPushes(session).lease(reading.push, to: sender)
        }
    }

    private func lease(
        _ purpose: PushPurpose, _ reading: DeliveriesAhead.Reading, _ icons: UnreadNumbers, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let row = reading.push
        guard var stored = try kept.delivery(of: reading) else { throw row.unreadable("message") }
        if stored.isPaused, purpose != .notice {
            try deliveries.hold(row["number"])
            return nil
        }
        if stored.isRanged, stored.delivery.show.revision < stored.newest, purpose != .notice {
            // The newer revision's chunk for this device does not exist yet.
            try kept.receive(.cancelled("replaced by a newer revision before it was sent"), for: &stored)
            return nil
        }
        let standing = DeviceStanding(
            isReachable: row.text("device_state") == DeviceRecord.State.active.rawValue && row.text("token") != nil,
            user: row.text("device_user"))
        if let end = stored.delivery.hindrance(to: purpose, standing, until: stored.until, SendingRules(), at: now) {
            try kept.receive(end, for: &stored)
            return nil
        }
        // Decodes the content before changing anything, so that a push without readable content is never leased.
        let content = try message(of: stored, purpose, for: row)
        var leased = stored
        try kept.receive(.leased(purpose, to: sender), for: &leased)
        guard let push = leased.delivery[purpose] else { return nil }
        return try claimed(row, purpose, push, content, icons)
    }

    private func lease(
        own purpose: PushPurpose, _ reading: DeliveriesAhead.Reading, _ icons: UnreadNumbers, to sender: SenderNumber
    ) throws -> ClaimedDelivery? {
        let (row, number): (SQLRow, Int64) = try (reading.push, reading.push["number"])
        guard try own.isNeeded(purpose, row) else {
            try deliveries.delete(number)
            return nil
        }
        var push = try row.push()
        let stored = try (row["message"] as Int64?).flatMap { _ in try kept.delivery(of: reading) }
        let content = try stored.map { try message(of: $0, purpose, for: row) }
        _ = push.lease(to: sender)
        let claimed = try claimed(row, purpose, push, content, icons)
        try deliveries.keep(push, number)
        if purpose == .removal, stored == nil {
            session.cache.told.insert(claimed.device)
            try removals.note(
                push: push.revision, to: claimed.device, of: row["app"], carries: claimed.removals.map(\.message))
        }
        return claimed
    }

    // MARK: Pushes

    /// Returns a message's content for a device: in the device's language, with the values of the user's variables.
    ///
    /// For a push that is a recall's notice, the content includes the notice.
    private func message(
        of stored: StoredDelivery, _ purpose: PushPurpose, for device: SQLRow
    ) throws -> ClaimedMessage {
        let user = try stored.owner.map { try UserReference($0, of: AppNumber(rawValue: device["app"])) }
        let message = try messages.message(stored.message, in: device.text("locale"), for: user)
        return purpose == .notice ? message.with(try messages.notice(of: stored.message)) : message
    }

    private func claimed(
        _ row: SQLRow, _ purpose: PushPurpose, _ push: Push, _ message: ClaimedMessage?, _ icons: UnreadNumbers
    ) throws -> ClaimedDelivery {
        guard let sender = push.sender else { throw row.unreadable("sender") }
        let (token, environment) = try address(row, purpose)
        let user = try row.text("device_user").map { try UserReference($0, of: AppNumber(rawValue: row["app"])) }
        let device: String = try row["device"]
        let removals = try openRemovals(row)
        let mayTakeAPlace = purpose == .removal || purpose == .badge
        var claimed = ClaimedDelivery(
            number: try row["number"], purpose: purpose, lease: Lease(sender: sender, epoch: push.epoch),
            lane: try row.number("lane"), device: device, app: AppID(topic: try row["topic"], environment: environment),
            token: token, revision: push.revision, attempt: push.attempt, message: message,
            unread: user.map { icons[$0] },
            removals: Array(removals.prefix(DeliveryLimits.removalsPerPush)),
            hasMoreRemovals: removals.count > DeliveryLimits.removalsPerPush,
            nonce: purpose == .tokenClaim ? row.text("claim_nonce") : nil,
            hasUnanswered: try mayTakeAPlace
                && !atAPNs.devices(among: [(device, row["ordinal"])], of: row["app"]).isEmpty)
        if purpose == .show, push.tries == 1 { claimed.since = max(push.queued, push.due) }
        return claimed
    }

    /// Returns the removals (requests to remove a message) that a device has not confirmed.
    private func openRemovals(_ row: SQLRow) throws -> [Removal] {
        let ranged = try (row["ordinal"] as Int64?).map { ordinal in
            try bits.broadcastRemovals(of: ordinal, in: bits.askedExtracts(over: ordinal...ordinal, of: row["app"]))
        }
        guard try row["has_removals"] || ranged?.isEmpty == false else { return [] }
        return try own.openRemovals(of: row["device"], ranged ?? [], limit: DeliveryLimits.removalsPerPush + 1)
    }

    /// Returns the device token to which a push is sent, with its APNs environment.
    ///
    /// A token-claim push goes to the token that the device claims, although the token is still registered for another
    /// installation. All other pushes go to the device's own token.
    private func address(_ row: SQLRow, _ purpose: PushPurpose) throws -> (DeviceToken, APNsEnvironment) {
        let (column, environment) =
            purpose == .tokenClaim ? ("claimed_token", "claimed_environment") : ("token", "environment")
        guard let token = row.text(column).flatMap(DeviceToken.init(hex:)) else { throw row.unreadable(column) }
        return (token, try row.choice(environment))
    }
}
