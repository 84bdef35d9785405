import CarillonCore

/// Stores the outcome of one push whose delivery is kept in a ``RangeChunk``, not in a row of its own.
///
/// A chunk keeps the deliveries of one message to a range of devices as bitmaps, with a bit for each device. If the bits cannot
/// express the outcome, the push gets a row.
struct SettlingInChunks: SessionPart {
    let session: StoreSession
    private let rules: SendingRules
    private let devices: DevicesTable
    private let removals: RemovalsTable
    private let ranges: RangesTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries
    private let own: OwnPushes
    private let answers: DeviceAnswers

    init(_ session: StoreSession, _ rules: SendingRules) {
        self.session = session
        self.rules = rules
        devices = DevicesTable(session)
        removals = RemovalsTable(session)
        ranges = RangesTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
        own = OwnPushes(session)
        answers = DeviceAnswers(session)
    }

    /// Stores the outcome of a sent push whose delivery is kept in a ``RangeChunk``.
    ///
    /// The parameter `place` names the chunk, and the device's position in it.
    ///
    /// - Returns: whether the function has processed the outcome. If not, rows of `deliveries` may store the delivery now, and
    ///   the caller must store the outcome there.
    func settle(_ sent: SentPush, at place: ChunkPlace) throws -> Bool {
        if sent.purpose == .removal { return try settle(removal: sent, at: place) }
        guard let stored = try chunks.chunk(place.chunk), let message = try ranges.ranged(stored.message) else {
            // The message is gone or cannot be read, but APNs' answer still applies to the token.
            if let device = try devices.device(sent.device) {
                try answers.follow(answers.verdict(on: sent, for: device, tries: 1, rules), sent, device)
            }
            return true
        }
        // The device has rows, or has moved to the chunk of a newer revision.
        guard stored.chunk[.addressed].contains(place.place), !stored.chunk[.row].contains(place.place) else {
            return false
        }
        let device = try devices.device(sent.device)
        let verdict = answers.verdict(on: sent, for: device, tries: 1, rules)
        if var delivery = try kept.delivery(at: place, message, on: sent.device, nil) {
            delivery.owner = device?.user
            // A push that is tried again waits in the channel of the device's present environment.
            if let device {
                delivery.channel = SendingChannel.number(device.app.number.rawValue, device.environment)
            }
            delivery.delivery.silentUnanswered = try devices.silentUnanswered(sent.device)
            try kept.receive(.answered(sent, verdict), for: &delivery, rules)
            if verdict == .accepted { try chunks.change(place.chunk) { $0.accept([], at: now) } }
        }
        if let device { try answers.follow(verdict, sent, device) }
        return true
    }

    /// Stores the outcome of a sent removal push; the removed message's delivery is kept in a ``RangeChunk``.
    ///
    /// The parameter `place` names the chunk, and the device's position in it.
    ///
    /// - Returns: whether the push was still in flight under the lease of `sent`, which is the sender's exclusive right to send
    ///   it. If not, the push may have a row in `deliveries` now, and the caller must store the outcome there.
    func settle(removal sent: SentPush, at place: ChunkPlace) throws -> Bool {
        guard var lease = try chunks.removalLease(of: sent.lease.sender, in: place.chunk),
            lease.end(place.place, under: sent.lease)
        else { return false }
        try chunks.keep(lease)
        // The device was deleted together with its removals.
        guard let device = try devices.device(sent.device) else { return true }
        var push = lease.push
        let verdict = answers.verdict(on: sent, for: device, tries: push.tries, rules)
        let subjects = try removals.subjects(ofRemovals: [device.id: sent.removals])[device.id] ?? []
        try own.record(sent, verdict, rules, on: device.id, about: subjects)
        push.settle(sent, verdict, rules)
        if push.state == .queued { try own.insert(removal: push, device.id, device.app.number, device.environment) }
        try answers.follow(verdict, sent, device)
        return true
    }
}
