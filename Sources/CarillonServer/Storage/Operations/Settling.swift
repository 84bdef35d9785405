import CarillonCore

/// Stores the outcomes of pushes.
///
/// Every outcome is added to the timelines. An outcome changes the push's state only if the lease under which the sender sent the
/// push is still valid.
struct Settling: SessionPart {
    let session: StoreSession
    private let rules: SendingRules
    private let messages: MessagesTable
    private let removals: RemovalsTable
    private let deliveries: DeliveriesTable
    private let chunks: ChunksTable
    private let kept: KeptDeliveries
    private let own: OwnPushes
    private let answers: DeviceAnswers
    private let activities: LiveActivityPushes
    private let together: SettlingTogether
    private let inChunks: SettlingInChunks

    init(_ session: StoreSession, _ rules: SendingRules) {
        self.session = session
        self.rules = rules
        messages = MessagesTable(session)
        removals = RemovalsTable(session)
        deliveries = DeliveriesTable(session)
        chunks = ChunksTable(session)
        kept = KeptDeliveries(session)
        own = OwnPushes(session)
        answers = DeviceAnswers(session)
        activities = LiveActivityPushes(session)
        together = SettlingTogether(session, rules)
        inChunks = SettlingInChunks(session, rules)
    }

    /// Stores the outcomes of pushes.
    func settle(_ pushes: [SentPush]) throws {
        var rest = pushes[...]
        // Reads the rows for all outcomes together. One outcome may change other pushes, so `ahead` tracks the rows that are
        // outdated.
        var ahead = try readSettled(pushes.map(\.number).filter { ChunkPlace(number: $0) == nil })
        while let next = rest.first {
            // Nearly all outcomes are plain acceptances from one chunk, stored in bits.
            let plain = try ChunkPlace(number: next.number).flatMap { place in
                try chunks.settingAside(place.chunk) { try together.acceptPlain(rest) }
            }
            if plain ?? 0 == 0 { try settleReadable(next, &ahead) }
            rest.removeFirst(max(1, plain ?? 0))
        }
    }

    /// Stores the outcome of one push.
    ///
    /// If the push's row cannot be decoded, the function sets it aside instead: senders skip it until an operator acts. So the
    /// other outcomes can still be stored.
    private func settleReadable(_ sent: SentPush, _ ahead: inout DeliveriesAhead) throws {
        do {
            try settle(sent, &ahead)
        } catch let error as any EngineError {
            throw error
        } catch {
            if let place = ChunkPlace(number: sent.number) {
                try chunks.setAside(place.chunk, because: error)
            } else {
                try deliveries.setAside(sent.number, because: error)
            }
        }
    }

    func settle(_ sent: SentPush, _ ahead: inout DeliveriesAhead) throws {
        let place = ChunkPlace(number: sent.number)
        if place != nil { ahead.leave(sent.device) }
        if let place, try inChunks.settle(sent, at: place) { return }
        let number = try place.map { try self.number(of: sent, at: $0) } ?? sent.number
        guard let number, let reading = try ahead.take(number, orElse: { try readSettled($0) }) else { return }
        let row = reading.push
        // The app was removed while the push was in flight, and its rows are being deleted.
        if row.text("id") != nil, row.text("topic") == nil { return }
        // APNs' answer concerns the token of the Live Activity, or of the widgets, not the device's.
        if sent.purpose == .liveActivity { return try activities.settle(sent, row, rules) }
        if sent.purpose == .widgets { return try WidgetPushes(session).settle(sent, row, rules) }
        let device = try row.text("id").map { _ in try row.device() }
        // The acceptance of a message by a confirmed token does not change the device's other deliveries.
        if sent.purpose != .show || !sent.outcome.isAccepted || device?.confirmed == nil {
            ahead.leave(sent.device)
        }
        let verdict = answers.verdict(on: sent, for: device, tries: try row["sent_tries"], rules)
        switch sent.purpose {
        case .show, .fallback, .notice:
            guard var stored = try kept.delivery(of: reading) else { return }
            try kept.receive(.answered(sent, verdict), for: &stored, rules)
        case .removal, .badge, .tokenCheck, .tokenClaim, .liveActivity, .widgets: try settle(own: sent, verdict, row)
        }
        if let device { try answers.follow(verdict, sent, device) }
    }

    func settle(own sent: SentPush, _ verdict: SendVerdict, _ row: SQLRow) throws {
        try own.record(sent, verdict, rules, on: row["device"], about: try subjects(of: sent, row))
        var push = try row.push("sent_")
        guard push.isHeld(under: sent.lease) else { return }
        push.settle(sent, verdict, rules)
        try deliveries.keep(own: push, sent.number)
    }

    /// Reads the rows of the pushes with these numbers, together with their devices.
    func readSettled(_ numbers: [Int64]) throws -> DeliveriesAhead {
        try kept.readAhead(
            numbers,
            """
            deliveries.number, deliveries.message, deliveries.device, deliveries.purpose,
            \(Push.columns.map { "deliveries.\($0) AS sent_\($0)" }.joined(separator: ", ")), devices.*, apps.topic
            """,
            "LEFT JOIN devices ON devices.id = deliveries.device LEFT JOIN apps ON apps.number = devices.app")
    }

    /// Returns the number of a push's row in `deliveries`, if the push has got a row since it was claimed; otherwise `nil`.
    ///
    /// When the push was claimed, only the bits of a ``RangeChunk`` stored it.
    private func number(of sent: SentPush, at place: ChunkPlace) throws -> Int64? {
        guard sent.purpose != .removal else { return try deliveries.removalNumber(of: sent) }
        return try row(
            "SELECT number FROM deliveries WHERE message = ? AND device = ? AND purpose = ?",
            [try chunks.chunk(place.chunk)?.message, sent.device, sent.purpose.rawValue])?["number"]
    }

    /// Returns the messages on whose timelines the outcome of a push is recorded.
    ///
    /// For a removal push, these are the messages that the push removes, including those whose removal the phone has meanwhile
    /// confirmed.
    private func subjects(of sent: SentPush, _ row: SQLRow) throws -> [PushSubject] {
        if let number: Int64 = row["message"] {
            return [
                PushSubject(number: number, message: try messages.id(ofMessage: number), revision: sent.revision)
            ]
        }
        guard sent.purpose == .removal else { return [] }
        let device: String = try row["device"]
        return try removals.subjects(ofRemovals: [device: sent.removals])[device] ?? []
    }
}
