import CarillonCore

/// Removals of messages that are sent by ranges: claimed from the bits of their chunks, many with each statement.
extension StoreTransaction {
    /// Pushes with removals that wait in chunks, as far as there is room beside single messages.
    ///
    /// Each has a row while it is in flight, and only then; one that is to be tried again keeps it.
    ///
    /// - Returns: the pushes, and how much was looked at; 0 when nothing waits.
    mutating func claimRemovals(
        _ request: ClaimRequest, limit: Int, _ buckets: inout [Int64: TokenBucket]
    ) throws -> (claimed: [ClaimedDelivery], examined: Int) {
        let channels = try openChannels(except: request.except, only: request.only)
        var (claimed, left): ([ClaimedDelivery], Int) = ([], max(0, limit))
        let waiting = try left > 0 ? rows("SELECT number, channel FROM chunks WHERE removing = 1 ORDER BY number") : []
        for row in waiting where left > 0 {
            let channel: Int64 = row["channel"]
            // A recall is not held up by a pause.
            guard channels.contains(max(channel, -1 - channel)), let stored = try chunk(row["number"]) else { continue }
            let app = Self.app(ofChannel: stored.channel)
            let places = stored.chunk.untold.places(limit: min(left, buckets[app]?.available(to: .bulk) ?? left))
            let pushes = try claimRemovals(at: places, of: stored, by: request.sender)
            buckets[app]?.take(pushes.count)
            claimed += pushes
            left -= places.count
        }
        return (claimed, max(0, limit) - left)
    }

    private mutating func claimRemovals(
        at places: [Int], of stored: StoredChunk, by sender: SenderNumber
    ) throws -> [ClaimedDelivery] {
        guard let message = try ranged(stored.message) else { return [] }
        let devices = try devices(at: places, of: stored, message.app)
        let waiting = try devicesTold(devices.values.map { $0["id"] as String })
        var told: [SQLRow] = []
        for place in places {
            guard let device = devices[place] else { continue }
            if try !isToldAlone(ChunkPlace(chunk: stored.number, place: place), message, device, stored.channel),
                !waiting.contains(device["id"])
            {
                told.append(device)
            }
        }
        try change(stored.number) { chunk in chunk[.told] = chunk[.told].union(DeviceSet(places)) }
        return try claimRemovals(to: told, of: stored, message, by: sender)
    }

    /// Whether a device is told by a push that waits in the queue: where it is not where the chunk was cut, and where the
    /// push must name one message, as Pushwoosh's does.
    private mutating func isToldAlone(
        _ place: ChunkPlace, _ message: RangedMessage, _ device: SQLRow, _ channel: Int64
    ) throws -> Bool {
        let actual = Self.channel(device["app"], try device.choice("environment"))
        let isReachable = device.text("state") == DeviceRecord.State.active.rawValue && device.text("token") != nil
        let isAlone = message.dialect == .pushwoosh || !isReachable || actual != channel
        guard isAlone || message.hasNotice, var delivery = try delivery(at: place, message, on: device["id"], device)
        else { return isAlone }
        try hastenNotice(of: &delivery, device)
        if isAlone { try queueRemoval(of: delivery) }
        return isAlone
    }

    /// Those of several devices to whom a push goes, or has just gone, that carries all they are to remove.
    private func devicesTold(_ devices: [String]) throws -> Set<String> {
        let waiting = try rows(
            """
            SELECT device FROM deliveries WHERE device IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
                AND state = 'queued' AND purpose = 'removal' AND message IS NULL AND sender IS NULL
            """, [try Self.json(devices)])
        return cache.told.union(waiting.map { $0["device"] as String })
    }

    // MARK: The pushes

    private mutating func claimRemovals(
        to devices: [SQLRow], of stored: StoredChunk, _ message: RangedMessage, by sender: SenderNumber
    ) throws -> [ClaimedDelivery] {
        guard !devices.isEmpty else { return [] }
        let ordinals = stored.first...stored.first + Int64(message.chunkDevices) - 1
        let removals = try openRemovals(of: devices, over: ordinals, of: message.app.number.rawValue)
        // Of what is older than is looked for, nobody is told.
        let names = try Self.json(removals.keys.sorted())
        let open = try unansweredExtracts(over: ordinals, of: message.app.number.rawValue)
        let unanswered = try devicesUnanswered(names)
        let (numbers, lease) = try leaseRemovals(names, in: stored.channel, to: sender)
        return try devices.compactMap { device in
            let (id, ordinal): (String, Int64) = (device["id"], device["ordinal"])
            guard let row = numbers[id], let removals = removals[id] else { return nil }
            guard let token = device.text("token").flatMap(DeviceToken.init(hex:)) else {
                throw device.unreadable("token")
            }
            cache.told.insert(id)
            return ClaimedDelivery(
                number: row["number"], purpose: .removal, lease: lease, lane: .bulk, device: id,
                app: AppID(topic: message.app.topic, environment: try device.choice("environment")), token: token,
                revision: row["revision"], attempt: 1, unread: try device.user().map(unreadCount),
                removals: Array(removals.prefix(ServiceLimits.removalsPerPush)),
                hasMoreRemovals: removals.count > ServiceLimits.removalsPerPush,
                hasUnanswered: unanswered.contains(id) || Self.isUnanswered(ordinal, in: open))
        }
    }

    /// What several devices of a stretch are to remove, by their ids; without those that have nothing to remove.
    private func openRemovals(
        of devices: [SQLRow], over ordinals: ClosedRange<Int64>, of app: Int64
    ) throws -> [String: [Removal]] {
        let asked = try askedExtracts(over: ordinals, of: app)
        let withRows = try devicesWithRemovals(try Self.json(devices.map { $0["id"] as String }))
        let limit = ServiceLimits.removalsPerPush + 1
        return try devices.reduce(into: [:]) { found, device in
            let id: String = device["id"]
            let ranged = try rangedRemovals(of: device["ordinal"], in: asked)
            let removals =
                try withRows.contains(id)
                ? openRemovals(of: id, ranged, limit: limit) : Self.newest([], ranged, limit: limit)
            if !removals.isEmpty { found[id] = removals }
        }
    }

    /// Makes a row for each push, which is in flight from the first.
    ///
    /// - Returns: the rows' `number` and `revision` by the devices' ids, and the lease that they share.
    private func leaseRemovals(
        _ names: String, in channel: Int64, to sender: SenderNumber
    ) throws -> ([String: SQLRow], Lease) {
        try execute(
            """
            UPDATE devices SET push_revision = push_revision + 1
            WHERE id IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
            """, [names])
        // Counted for each device, which the rows have from there.
        let counted = ["revision", "flight_revision"]
        var push = Push(revision: 0, queued: now, due: now)
        let lease = push.lease(to: sender)
        let values = zip(Push.columns, push.values.values).filter { !counted.contains($0.0) }.map { SQLArguments($0.1) }
        let made = try rows(
            """
            INSERT INTO deliveries (device, purpose, channel, lane, \(Push.columns.joined(separator: ", ")))
            SELECT id, 'removal', ?, ?, \(Push.columns.map { counted.contains($0) ? "push_revision" : "?" }
                .joined(separator: ", "))
            FROM devices WHERE id IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
            RETURNING number, device, revision
            """, values.reduce([channel, DeliveryLane.bulk.rawValue], +) + [names])
        return (Dictionary(made.map { ($0["device"], $0) }) { first, _ in first }, lease)
    }

    /// Those of several devices that are to remove messages of which they have rows.
    private func devicesWithRemovals(_ names: String) throws -> Set<String> {
        let rows = try rows(
            """
            SELECT DISTINCT device FROM removals
            WHERE confirmed IS NULL AND device IN (SELECT value FROM \(dialect.textsOfJSON) AS named)
            """, [names])
        return Set(rows.map { $0["device"] as String })
    }
}
