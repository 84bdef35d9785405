import CarillonCore

/// Writes down plain acceptances: APNs has accepted a push from a chunk under a valid lease, and its removal is not requested.
///
/// Nearly every outcome is one. They are written down together, in bits; a device is read only if it changes.
struct SettlingTogether: SessionPart {
    let session: StoreSession
    private let rules: SendingRules
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let own: OwnPushes

    init(_ session: StoreSession, _ rules: SendingRules) {
        self.session = session
        self.rules = rules
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        own = OwnPushes(session)
    }

    /// The acceptances of one chunk.
    private struct PlainAnswers {
        let chunk: StoredChunk
        let message: RangedMessage
        /// The second push that may follow.
        let second: SecondPush?
        var settlements: ArraySlice<Settlement> = []
        var places: [Int] = []
    }

    /// Writes down the first of some outcomes, as many as are plain acceptances of one chunk.
    ///
    /// - Returns: the number of outcomes written; 0 if the first is of another kind.
    func acceptPlain(_ settlements: ArraySlice<Settlement>) throws -> Int {
        if settlements.first?.purpose == .removal { return try acceptPlainRemovals(settlements) }
        guard var plain = try plainAnswers(settlements) else { return 0 }
        // A device that has not answered the last silent pushes gets the visible one at once.
        let silent =
            plain.second == nil
            ? []
            : try devices.silentDevices(
                at: plain.places, of: plain.chunk, plain.message.app,
                unanswered: SecondPush.unansweredBeforeAtOnce(rules))
        if !silent.isEmpty, let end = plain.settlements.firstIndex(where: { silent.contains($0.device) }) {
            plain.settlements = plain.settlements[..<end]
            plain.places.removeSubrange(plain.settlements.count...)
        }
        guard let last = plain.settlements.last else { return 0 }
        try chunks.change(plain.chunk.number) { chunk in
            chunk.accept(plain.places, at: now)
            if let second = plain.second { chunk.followDue = second.due(isRanged: true, rules, at: last.at) }
        }
        session.tell(accepted: plain.settlements, of: plain.message.id)
        try followPlain(plain)
        return plain.settlements.count
    }

    /// Writes down accepted removal pushes from one chunk, and loads only the devices that need a further event.
    ///
    /// A removal push that is no longer in flight leaves no bit.
    ///
    /// - Returns: the number of outcomes written; 0 if the first is of another kind.
    private func acceptPlainRemovals(_ settlements: ArraySlice<Settlement>) throws -> Int {
        guard let first = settlements.first, let number = ChunkPlace(number: first.number)?.chunk,
            var lease = try chunks.removalLease(of: first.lease.sender, in: number),
            let stored = try chunks.chunk(number),
            let message = try ranges.ranged(stored.message)
        else { return 0 }
        var plain = PlainAnswers(chunk: stored, message: message, second: nil)
        for settlement in settlements {
            guard settlement.purpose == .removal, settlement.outcome.isAccepted,
                let place = ChunkPlace(number: settlement.number), place.chunk == number,
                lease.end(place.place, under: settlement.lease)
            else { break }
            plain.places.append(place.place)
        }
        plain.settlements = settlements.prefix(plain.places.count)
        guard !plain.places.isEmpty else { return 0 }
        try chunks.keep(lease)
        let carried = plain.settlements.map { ($0.device, $0.removals) }
        let subjects = try removals.subjects(ofRemovals: Dictionary(carried) { $0 + $1 })
        for settlement in plain.settlements {
            guard let about = subjects[settlement.device] else { continue }
            try own.record(settlement, .accepted, rules, on: settlement.device, about: about)
        }
        try followPlain(plain)
        return plain.places.count
    }

    private func plainAnswers(_ settlements: ArraySlice<Settlement>) throws -> PlainAnswers? {
        guard let first = settlements.first.flatMap({ ChunkPlace(number: $0.number) }),
            let stored = try chunks.chunk(first.chunk), let sender = stored.chunk.sender,
            let message = try ranges.ranged(stored.message)
        else { return nil }
        let lease = Lease(sender: sender, epoch: stored.chunk.epoch)
        var open = stored.chunk.inFlight.subtracting(stored.chunk.asked)
        // The second push of a recalled message is due by its recall.
        let second = message.isRecalled ? nil : SecondPush(of: message)
        var plain = PlainAnswers(chunk: stored, message: message, second: second)
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

    /// Confirms devices with new tokens, and notes their badge numbers.
    private func followPlain(_ plain: PlainAnswers) throws {
        let new = try devices.newTokens(at: plain.places, of: plain.chunk, plain.message.app)
        for index in plain.settlements.indices {
            if !new.isEmpty, let registered = new[plain.settlements[index].device],
                let sent = plain.settlements[index].sent, registered <= sent
            {
                try devices.confirm(plain.settlements[index].device)
            }
            guard plain.settlements[index].badge != .none else { continue }
            try devices.noteBadge(plain.settlements[index].badge, of: plain.settlements[index].device)
        }
    }
}
