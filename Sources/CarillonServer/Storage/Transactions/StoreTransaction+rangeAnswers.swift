import CarillonCore

/// What came of pushes that were handed over from a chunk, and of its sender.
extension StoreTransaction {
    /// What a sender says of one of them.
    ///
    /// - Returns: whether it was dealt with; else the device has rows, which are settled like any others.
    mutating func settle(_ settlement: Settlement, at place: ChunkPlace, _ rules: SendingRules) throws -> Bool {
        if settlement.purpose == .removal { return try settle(removal: settlement, at: place, rules) }
        guard let stored = try chunk(place.chunk), let message = try ranged(stored.message) else { return true }
        // It has rows, or a newer revision has taken it since.
        guard stored.chunk[.addressed].contains(place.place), !stored.chunk[.row].contains(place.place) else {
            return false
        }
        let device = try device(settlement.device)
        let verdict = settlement.outcome.verdict(
            tokenRegistered: device?.tokenVouched ?? now, tries: 1, rules, at: settlement.at)
        if var delivery = try delivery(at: place, message, on: settlement.device, nil) {
            delivery.owner = device?.user
            delivery.delivery.silentUnanswered = try silentUnanswered(settlement.device)
            try receive(.answered(settlement, verdict), for: &delivery, message.isRecalled ? rules : rules.forRanges)
            if verdict == .accepted { try change(place.chunk) { $0.acceptedAt = now } }
        }
        if let device { try follow(verdict, settlement, device) }
        return true
    }

    private func silentUnanswered(_ device: String) throws -> Int {
        try integer("SELECT silent_unanswered FROM devices WHERE id = ?", [device])
    }

    /// Its sender is gone: what it had in flight may have been sent, and is sent again with rows of its own.
    ///
    /// - Returns: how many that were, and whether nothing is left of it.
    mutating func lapse(chunksOf sender: SenderNumber, limit: Int) throws -> (count: Int, isDone: Bool) {
        var count = 0
        for row in try rows("SELECT number FROM chunks WHERE sender = ? ORDER BY number", [sender.rawValue]) {
            guard let stored = try chunk(row["number"]), let message = try ranged(stored.message) else { continue }
            let places = stored.chunk.inFlight.places(limit: limit - count)
            let devices = try devices(at: places, of: stored, message.app)
            for place in places {
                guard let device = devices[place],
                    var delivery = try delivery(
                        at: ChunkPlace(chunk: stored.number, place: place), message, on: device["id"], device)
                else { continue }
                try receive(.lapsed(.show), for: &delivery)
            }
            count += places.count
            guard count < limit else { return (count, false) }
            // Who is gone meanwhile is told as unanswered.
            try change(stored.number) { $0.endLease() }
        }
        return (count, true)
    }
}
