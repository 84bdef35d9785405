import CarillonCore

/// What nearly every answer is: APNs has accepted a push from a chunk whose lease holds, and nobody wants it back.
///
/// Those that come together are written down together, in bits: a device is read only where something of it changes.
extension StoreTransaction {
    /// Those of a chunk that can be accepted, whatever their devices say.
    private struct PlainAnswers {
        let chunk: StoredChunk
        let message: RangedMessage
        /// Whether a second push may follow.
        let isFollowed: Bool
        var settlements: ArraySlice<Settlement> = []
        var places: [Int] = []
    }

    /// Writes down the first of some outcomes, as many as are plain acceptances of one chunk.
    ///
    /// - Returns: how many that were; 0 when the first is something else.
    mutating func acceptPlain(_ settlements: ArraySlice<Settlement>, _ rules: SendingRules) throws -> Int {
        if settlements.first?.purpose == .removal { return try acceptPlainRemovals(settlements, rules) }
        guard var plain = try plainAnswers(settlements) else { return 0 }
        // Who has not answered the last silent pushes gets the visible one at once.
        let silent = plain.isFollowed ? try silentDevices(of: plain, rules.silentBeforeFallbackAtOnce) : []
        if !silent.isEmpty, let end = plain.settlements.firstIndex(where: { silent.contains($0.device) }) {
            plain.settlements = plain.settlements[..<end]
            plain.places.removeSubrange(plain.settlements.count...)
        }
        guard let last = plain.settlements.last else { return 0 }
        try change(plain.chunk.number) { chunk in
            chunk.accept(plain.places, at: now)
            if plain.isFollowed { chunk.followDue = last.at + rules.broadcastWait }
        }
        tell(accepted: plain.settlements, of: plain.message.id)
        try followPlain(plain)
        return plain.settlements.count
    }

    /// The same of pushes with removals: what is in flight no more leaves no bit, and nobody is read of whom there is no more to
    /// say.
    private mutating func acceptPlainRemovals(
        _ settlements: ArraySlice<Settlement>, _ rules: SendingRules
    ) throws -> Int {
        guard let first = settlements.first, let number = ChunkPlace(number: first.number)?.chunk,
            var lease = try removalLease(of: first.lease.sender, in: number), let stored = try chunk(number),
            let message = try ranged(stored.message)
        else { return 0 }
        var plain = PlainAnswers(chunk: stored, message: message, isFollowed: false)
        for settlement in settlements {
            guard settlement.purpose == .removal, settlement.outcome.isAccepted,
                let place = ChunkPlace(number: settlement.number), place.chunk == number,
                lease.end(place.place, under: settlement.lease)
            else { break }
            plain.places.append(place.place)
        }
        plain.settlements = settlements.prefix(plain.places.count)
        guard !plain.places.isEmpty else { return 0 }
        try keep(lease)
        let carried = plain.settlements.map { ($0.device, $0.removals) }
        let subjects = try subjects(ofRemovals: Dictionary(carried) { $0 + $1 })
        for settlement in plain.settlements {
            guard let about = subjects[settlement.device] else { continue }
            try record(settlement, .accepted, rules, on: settlement.device, about: about)
        }
        try followPlain(plain)
        return plain.places.count
    }

    private func plainAnswers(_ settlements: ArraySlice<Settlement>) throws -> PlainAnswers? {
        guard let first = settlements.first.flatMap({ ChunkPlace(number: $0.number) }),
            let stored = try chunk(first.chunk), let sender = stored.chunk.sender,
            let message = try ranged(stored.message)
        else { return nil }
        let lease = Lease(sender: sender, epoch: stored.chunk.epoch)
        var open = stored.chunk.inFlight.subtracting(stored.chunk.asked)
        var plain = PlainAnswers(
            chunk: stored, message: message, isFollowed: message.mode == .assured && !message.isCancelled)
        for settlement in settlements {
            guard settlement.purpose == .show, settlement.outcome.isAccepted, settlement.lease == lease,
                let place = ChunkPlace(number: settlement.number), place.chunk == first.chunk,
                open.contains(place.place)
            else { break }
            open.remove(place.place)
            plain.places.append(place.place)
        }
        plain.settlements = settlements.prefix(plain.places.count)
        return plain.places.isEmpty ? nil : plain
    }

    /// Devices that have left so many silent pushes without an answer, by their ids.
    ///
    /// They are looked for by ordinals, in whose order devices lie side by side, and not by ids.
    private func silentDevices(of plain: PlainAnswers, _ unanswered: Int) throws -> Set<String> {
        let among = among(plain.places, of: plain.chunk)
        return Set(
            try rows(
                "SELECT id FROM devices WHERE app = ? AND \(among.sql) AND silent_unanswered >= ?",
                [plain.message.app.number.rawValue] + among.arguments + [unanswered]
            ).map { $0["id"] as String })
    }

    /// What follows for the devices.
    private mutating func followPlain(_ plain: PlainAnswers) throws {
        let new = try newTokens(of: plain)
        for index in plain.settlements.indices {
            if !new.isEmpty, let registered = new[plain.settlements[index].device],
                let sent = plain.settlements[index].sent, registered <= sent
            {
                try confirm(plain.settlements[index].device)
            }
            guard plain.settlements[index].badge != .none else { continue }
            try noteBadge(plain.settlements[index].badge, of: plain.settlements[index].device)
        }
    }

    /// When devices have got the token of which APNs has said nothing, by their ids: hardly any, since a device whose token was
    /// new then was not among a chunk's.
    private func newTokens(of plain: PlainAnswers) throws -> [String: Timestamp] {
        guard let least = plain.places.min(), let greatest = plain.places.max() else { return [:] }
        let rows = try rows(
            """
            SELECT id, token_registered FROM devices
            WHERE app = ? AND ordinal BETWEEN ? AND ? AND confirmed IS NULL AND ordinal IS NOT NULL
            """,
            [plain.message.app.number.rawValue, plain.chunk.first + Int64(least), plain.chunk.first + Int64(greatest)])
        let registered = try rows.map { ($0["id"] as String, try $0.requiredTimestamp("token_registered")) }
        return Dictionary(registered) { first, _ in first }
    }
}
