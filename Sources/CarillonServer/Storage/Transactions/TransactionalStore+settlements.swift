import CarillonCore

extension TransactionalStore {
    package func settle(
        _ settlements: [Settlement], _ rules: SendingRules, claiming request: ClaimRequest?, at now: Timestamp
    ) async throws -> (settled: SettledPushes, claim: Claim?) {
        try await write(at: now) { transaction in
            var rest = settlements[...]
            var ahead = try transaction.readSettled(settlements.map(\.number).filter { ChunkPlace(number: $0) == nil })
            while let next = rest.first {
                let plain = try transaction.acceptPlain(rest, rules)
                if plain == 0 { try transaction.settle(next, rules, &ahead) }
                rest.removeFirst(max(1, plain))
            }
            let settled = transaction.tellSettled()
            return (settled, try request.map { try transaction.claim($0) })
        }
    }
}

/// What came of a claimed delivery: onto the timelines as fact, and into its state if the lease still holds.
extension StoreTransaction {
    fileprivate mutating func settle(
        _ settlement: Settlement, _ rules: SendingRules, _ ahead: inout DeliveriesAhead
    ) throws {
        let place = ChunkPlace(number: settlement.number)
        if place != nil { ahead.leave(settlement.device) }
        if let place, try settle(settlement, at: place, rules) { return }
        let number = try place.map { try self.number(of: settlement, at: $0) } ?? settlement.number
        guard let number, let reading = try ahead.take(number, orElse: { try readSettled($0) }) else { return }
        let row = reading.push
        let device = try row.text("id").map { _ in try row.device() }
        // That a known token has brought a message changes nothing about the device's other deliveries.
        if settlement.purpose != .show || !settlement.outcome.isAccepted || device?.confirmed == nil {
            ahead.leave(settlement.device)
        }
        let verdict = settlement.outcome.verdict(
            tokenRegistered: device?.tokenVouched ?? now, tries: row["sent_tries"], rules, at: settlement.at)
        switch settlement.purpose {
        case .show, .fallback, .notice:
            guard var stored = try delivery(of: reading) else { return }
            let isBroadcast = stored.isRanged && !stored.delivery.isRecalled
            try receive(.answered(settlement, verdict), for: &stored, isBroadcast ? rules.forRanges : rules)
        case .removal, .badge, .tokenCheck, .tokenClaim: try settle(own: settlement, verdict, row, rules)
        }
        if let device { try follow(verdict, settlement, device) }
    }

    /// What is asked of each push that was sent, with its device.
    fileprivate func readSettled(_ numbers: [Int64]) throws -> DeliveriesAhead {
        try readAhead(
            numbers,
            """
            deliveries.number, deliveries.message, deliveries.device, deliveries.purpose,
            \(Push.columns.map { "deliveries.\($0) AS sent_\($0)" }.joined(separator: ", ")), devices.*, apps.topic
            """,
            "LEFT JOIN devices ON devices.id = deliveries.device LEFT JOIN apps ON apps.number = devices.app")
    }

    /// The row of a push that had none when it was handed over; its device may have one by now.
    private func number(of settlement: Settlement, at place: ChunkPlace) throws -> Int64? {
        guard settlement.purpose != .removal else { return try removalNumber(of: settlement) }
        return try row(
            "SELECT number FROM deliveries WHERE message = ? AND device = ? AND purpose = ?",
            [try chunk(place.chunk)?.message, settlement.device, settlement.purpose.rawValue])?["number"]
    }

    /// What follows for the device.
    mutating func follow(_ verdict: SendVerdict, _ settlement: Settlement, _ device: DeviceRecord) throws {
        switch verdict {
        case .accepted: try noteAccepted(settlement, device)
        case .quarantineToken, .retireToken: try apply(verdict, settlement, to: device)
        case .giveUp, .retry, .stopApp, .putBack, .cancel: break
        }
    }

    private mutating func settle(
        own settlement: Settlement, _ verdict: SendVerdict, _ row: SQLRow, _ rules: SendingRules
    ) throws {
        try record(settlement, verdict, rules, on: row["device"], about: try subjects(of: settlement, row))
        var push = try row.push("sent_")
        guard push.isHeld(under: settlement.lease) else { return }
        push.settle(settlement, verdict, rules)
        try keep(own: push, settlement.number)
    }

    /// The messages on whose timelines a push belongs: for a removal push, those that it took away, whether or not the
    /// phone has confirmed that meanwhile.
    private func subjects(of settlement: Settlement, _ row: SQLRow) throws -> [PushSubject] {
        if let number: Int64 = row["message"] {
            return [PushSubject(number: number, message: try id(ofMessage: number), revision: settlement.revision)]
        }
        guard settlement.purpose == .removal else { return [] }
        let device: String = row["device"]
        return try subjects(ofRemovals: [device: settlement.removals])[device] ?? []
    }

    /// What the device has been told, and whether it answers.
    ///
    /// That is the number on its icon, and how often a visible push had to stand in for a silent one. And APNs knows its
    /// token, unless another was registered since.
    private func noteAccepted(_ settlement: Settlement, _ device: DeviceRecord) throws {
        if settlement.purpose != .tokenClaim, device.confirmed == nil, let sent = settlement.sent,
            device.tokenRegistered <= sent
        {
            try confirm(device.id)
        }
        try noteBadge(settlement.badge, of: device.id)
        if settlement.purpose == .fallback || settlement.purpose == .notice {
            try execute("UPDATE devices SET silent_unanswered = silent_unanswered + 1 WHERE id = ?", [device.id])
        }
    }

    /// The number that APNs has taken for the device's icon.
    func noteBadge(_ badge: Settlement.BadgeEffect, of device: String) throws {
        switch badge {
        case .none: break
        case .unread(let count):
            try execute(
                "UPDATE devices SET badge = ? WHERE id = ? AND badge IS DISTINCT FROM ?", [count, device, count])
        case .sender:
            try execute("UPDATE devices SET badge = NULL WHERE id = ? AND badge IS NOT NULL", [device])
        }
    }
}
