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
        guard var plain = try plainAnswers(settlements) else { return 0 }
        let special = try specialDevices(of: plain, silent: rules.silentBeforeFallbackAtOnce)
        // Who has not answered the last silent pushes gets the visible one at once.
        if let end = plain.settlements.firstIndex(where: { special[$0.device]?["is_silent"] == true }) {
            plain.settlements = plain.settlements[..<end]
            plain.places.removeSubrange(plain.settlements.count...)
        }
        guard let last = plain.settlements.last else { return 0 }
        try change(plain.chunk.number) { chunk in
            chunk.accept(plain.places, at: now)
            if plain.isFollowed { chunk.followDue = last.at + rules.broadcastWait }
        }
        tell(accepted: plain.settlements, of: plain.message.id)
        try followPlain(plain.settlements, special)
        return plain.settlements.count
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
            guard settlement.outcome.isAccepted, settlement.lease == lease,
                let place = ChunkPlace(number: settlement.number), place.chunk == first.chunk,
                open.contains(place.place)
            else { break }
            open.remove(place.place)
            plain.places.append(place.place)
        }
        plain.settlements = settlements.prefix(plain.places.count)
        return plain.places.isEmpty ? nil : plain
    }

    /// Devices of which more is to be said than bits can: by their ids.
    ///
    /// They are looked for by ordinals, in whose order devices lie side by side, and not by ids.
    private func specialDevices(of plain: PlainAnswers, silent: Int) throws -> [String: SQLRow] {
        let isSilent = plain.isFollowed ? "silent_unanswered >= \(silent)" : "1 = 0"
        let among = among(plain.places, of: plain.chunk)
        let rows = try rows(
            """
            SELECT id, confirmed IS NULL AS is_new, token_registered, \(isSilent) AS is_silent FROM devices
            WHERE app = ? AND \(among.sql) AND (confirmed IS NULL OR \(isSilent))
            """, [plain.message.app.number.rawValue] + among.arguments)
        return Dictionary(rows.map { ($0["id"] as String, $0) }) { first, _ in first }
    }

    /// What follows for the devices.
    private mutating func followPlain(_ settlements: ArraySlice<Settlement>, _ special: [String: SQLRow]) throws {
        for settlement in settlements {
            if !special.isEmpty, let row = special[settlement.device], row["is_new"], let sent = settlement.sent,
                try row.requiredTimestamp("token_registered") <= sent
            {
                try confirm(settlement.device)
            }
            try noteBadge(settlement.badge, of: settlement.device)
        }
    }
}
