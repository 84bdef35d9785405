import CarillonCore

/// Stores the outcomes of many accepted pushes of one ``RangeChunk`` (the deliveries of a message to a range of devices) at once.
///
/// It leaves out the few outcomes that bits of the chunk cannot express, such as the rejection of a push.
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

    /// Pushes from one ``RangeChunk`` that APNs accepted, and whose outcomes are stored together.
    private struct PlainAnswers {
        let chunk: StoredChunk
        let message: RangedMessage
        /// The kind of further push (``SecondPush``) that the service may send to each device after the accepted push; `nil` for
        /// none.
        let second: SecondPush?
        var pushes: ArraySlice<SentPush> = []
        var places: [Int] = []
    }

    /// Stores the outcomes of accepted pushes of one ``RangeChunk`` by setting bits of the chunk.
    ///
    /// The function begins with the first push in `pushes`. It stops at a push of another chunk, and at a push whose outcome
    /// needs more than these bits. Examples are a rejected push, a push whose lease is no longer valid, and a push of a
    /// recalled message.
    ///
    /// - Returns: the number of stored outcomes; 0 if the function stops at the first push.
    func acceptPlain(_ pushes: ArraySlice<SentPush>) throws -> Int {
        if pushes.first?.purpose == .removal { return try acceptPlainRemovals(pushes) }
        guard var plain = try plainAnswers(pushes) else { return 0 }
        // A device that has not answered the last silent pushes gets the visible push at once.
        let silent =
            plain.second == nil
            ? []
            : try devices.silentDevices(
                at: plain.places, of: plain.chunk, plain.message.app,
                unanswered: SecondPush.unansweredBeforeAtOnce(rules))
        if !silent.isEmpty, let end = plain.pushes.firstIndex(where: { silent.contains($0.device) }) {
            plain.pushes = plain.pushes[..<end]
            plain.places.removeSubrange(plain.pushes.count...)
        }
        guard let last = plain.pushes.last else { return 0 }
        try chunks.change(plain.chunk.number) { chunk in
            chunk.accept(plain.places, at: now)
            if let second = plain.second { chunk.followDue = second.due(isRanged: true, rules, at: last.at) }
        }
        session.tally.add(.accepted, message: plain.message.number, times: plain.pushes.count)
        session.emit(accepted: plain.pushes, of: plain.message.app.number, first: plain.chunk.first)
        try followPlain(plain)
        return plain.pushes.count
    }

    /// Stores the outcomes of accepted removal pushes of one ``RangeChunk``.
    ///
    /// The function begins with the first push in `pushes`. It stops at a push of another chunk, and at a push that was not
    /// accepted or is not a removal push. For each acceptance, it ends the push's lease and changes nothing in the chunk.
    ///
    /// - Returns: the number of stored outcomes; 0 if the function stops at the first push.
    private func acceptPlainRemovals(_ pushes: ArraySlice<SentPush>) throws -> Int {
        guard let first = pushes.first, let number = ChunkPlace(number: first.number)?.chunk,
            var lease = try chunks.removalLease(of: first.lease.sender, in: number),
            let stored = try chunks.chunk(number),
            let message = try ranges.ranged(stored.message)
        else { return 0 }
        var plain = PlainAnswers(chunk: stored, message: message, second: nil)
        for sent in pushes {
            guard sent.purpose == .removal, sent.outcome.isAccepted,
                let place = ChunkPlace(number: sent.number), place.chunk == number,
                lease.end(place.place, under: sent.lease)
            else { break }
            plain.places.append(place.place)
        }
        plain.pushes = pushes.prefix(plain.places.count)
        guard !plain.places.isEmpty else { return 0 }
        try chunks.keep(lease)
        let carried = plain.pushes.map { ($0.device, $0.removals) }
        let subjects = try removals.subjects(ofRemovals: Dictionary(carried) { $0 + $1 })
        for sent in plain.pushes {
            guard let about = subjects[sent.device] else { continue }
            try own.record(sent, .accepted, rules, on: sent.device, about: about)
        }
        try followPlain(plain)
        return plain.places.count
    }

    private func plainAnswers(_ pushes: ArraySlice<SentPush>) throws -> PlainAnswers? {
        guard let first = pushes.first.flatMap({ ChunkPlace(number: $0.number) }),
            let stored = try chunks.chunk(first.chunk), let sender = stored.chunk.sender,
            let message = try ranges.ranged(stored.message)
        else { return nil }
        let lease = Lease(sender: sender, epoch: stored.chunk.epoch)
        var open = stored.chunk.inFlight.subtracting(stored.chunk.asked)
        // For a recalled message, the recall has already set the due time of the second push.
        let second = message.isRecalled ? nil : SecondPush(of: message)
        var plain = PlainAnswers(chunk: stored, message: message, second: second)
        for sent in pushes {
            guard sent.purpose == .show, sent.outcome.isAccepted, sent.lease == lease,
                let place = ChunkPlace(number: sent.number), place.chunk == first.chunk,
                open.contains(place.place)
            else { break }
            open.remove(place.place)
            plain.places.append(place.place)
        }
        plain.pushes = pushes.prefix(plain.places.count)
        return plain.places.isEmpty ? nil : plain
    }

    /// Marks device tokens as confirmed if APNs has accepted a push to them, and stores the badge numbers that the pushes have
    /// set.
    private func followPlain(_ plain: PlainAnswers) throws {
        let new = try devices.newTokens(at: plain.places, of: plain.chunk, plain.message.app)
        for index in plain.pushes.indices {
            if !new.isEmpty, let new = new[plain.pushes[index].device],
                plain.pushes[index].confirms(new.token, in: new.environment, registered: new.registered)
            {
                try devices.confirm(plain.pushes[index].device)
            }
            guard plain.pushes[index].badge != .none else { continue }
            try devices.noteBadge(plain.pushes[index].badge, of: plain.pushes[index].device)
        }
    }
}
