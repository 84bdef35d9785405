import CarillonCore

/// What came of pushes with removals that were handed over from a chunk, and of their senders: where bits cannot say it, a push
/// has a row from then on, with the attempts that there were.
extension StoreTransaction {
    /// What a sender says of one of them.
    ///
    /// - Returns: whether it was in flight under that lease; else it may have a row.
    mutating func settle(removal settlement: Settlement, at place: ChunkPlace, _ rules: SendingRules) throws -> Bool {
        guard var lease = try removalLease(of: settlement.lease.sender, in: place.chunk),
            lease.end(place.place, under: settlement.lease)
        else { return false }
        try keep(lease)
        // It was deleted, and all that is to be told of it.
        guard let device = try device(settlement.device) else { return true }
        var push = lease.push
        let verdict = settlement.outcome.verdict(
            tokenRegistered: device.tokenVouched, tries: push.tries, rules, at: settlement.at)
        let subjects = try subjects(ofRemovals: [device.id: settlement.removals])[device.id] ?? []
        try record(settlement, verdict, rules, on: device.id, about: subjects)
        push.settle(settlement, verdict, rules)
        if push.state == .queued { try insert(removal: push, device.id, device.app.number, device.environment) }
        try follow(verdict, settlement, device)
        return true
    }

    /// The row of one that was in flight before; `nil` when it is done.
    func removalNumber(of settlement: Settlement) throws -> Int64? {
        try row(
            "SELECT number FROM deliveries WHERE device = ? AND purpose = 'removal' AND message IS NULL AND revision = ?",
            [settlement.device, settlement.revision])?["number"]
    }

    /// Their senders are gone: what those had in flight may have been sent, and is sent again.
    ///
    /// - Returns: how many that were, and whether nothing is left of it.
    mutating func lapseRemovals(limit: Int) throws -> (count: Int, isDone: Bool) {
        var count = 0
        for var lease in try abandonedRemovalLeases() {
            let places = lease.places.places(limit: limit - count)
            try lapse(lease, at: places)
            lease.places = lease.places.subtracting(DeviceSet(places))
            try keep(lease)
            count += places.count
            guard count < limit else { return (count, false) }
        }
        return (count, true)
    }

    private mutating func lapse(_ lease: RemovalLease, at places: [Int]) throws {
        guard let stored = try chunk(lease.chunk), let message = try ranged(stored.message) else { return }
        for device in try rangedDevices(at: places, of: stored, message.app) {
            var push = lease.push
            if let note = DeliveryNote.abandoned(push, .removal, at: now) {
                try record(abandoned: note, on: device.id, due: push.due)
            }
            push.endLease()
            try insert(removal: push, device.id, message.app.number, device.environment)
        }
    }

    private func insert(
        removal push: Push, _ device: String, _ app: AppNumber, _ environment: APNsEnvironment
    ) throws {
        let channel = Self.channel(app.rawValue, environment)
        try insert(push, .removal, message: nil, device: device, channel: channel, lane: .bulk)
    }
}
