import CarillonCore

/// Writes down the outcomes of pushes: onto the timelines always, and into the pushes' states while the lease holds.
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
        together = SettlingTogether(session, rules)
        inChunks = SettlingInChunks(session, rules)
    }

    /// Writes down outcomes.
    ///
    /// - Returns: the events to publish.
    func settle(_ pushes: [SentPush]) throws -> SettledPushes {
        var rest = pushes[...]
        // The rows are read together for all outcomes. One outcome may change other pushes, so `ahead` knows what is outdated.
        var ahead = try readSettled(pushes.map(\.number).filter { ChunkPlace(number: $0) == nil })
        while let next = rest.first {
            // Nearly all outcomes are plain acceptances of one chunk, kept in bits.
            let plain = try ChunkPlace(number: next.number).flatMap { place in
                try chunks.settingAside(place.chunk) { try together.acceptPlain(rest) }
            }
            if plain ?? 0 == 0 { try settleReadable(next, &ahead) }
            rest.removeFirst(max(1, plain ?? 0))
        }
        return session.takeSettled()
    }

    /// Writes down one outcome; a push that cannot be read is set aside, so that the other outcomes are kept.
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
        let device = try row.text("id").map { _ in try row.device() }
        // An accepted message to a confirmed token changes nothing about the device's other deliveries.
        if sent.purpose != .show || !sent.outcome.isAccepted || device?.confirmed == nil {
            ahead.leave(sent.device)
        }
        let verdict = sent.outcome.verdict(
            tokenRegistered: device?.tokenVouched ?? now, tries: row["sent_tries"], rules, at: sent.at)
        switch sent.purpose {
        case .show, .fallback, .notice:
            guard var stored = try kept.delivery(of: reading) else { return }
            try kept.receive(.answered(sent, verdict), for: &stored, rules)
        case .removal, .badge, .tokenCheck, .tokenClaim: try settle(own: sent, verdict, row)
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

    /// Reads the pushes that were sent, with their devices.
    func readSettled(_ numbers: [Int64]) throws -> DeliveriesAhead {
        try kept.readAhead(
            numbers,
            """
            deliveries.number, deliveries.message, deliveries.device, deliveries.purpose,
            \(Push.columns.map { "deliveries.\($0) AS sent_\($0)" }.joined(separator: ", ")), devices.*, apps.topic
            """,
            "LEFT JOIN devices ON devices.id = deliveries.device LEFT JOIN apps ON apps.number = devices.app")
    }

    /// Returns the number of the row of a push that had none when it was handed over; its device may have one by now.
    private func number(of sent: SentPush, at place: ChunkPlace) throws -> Int64? {
        guard sent.purpose != .removal else { return try deliveries.removalNumber(of: sent) }
        return try row(
            "SELECT number FROM deliveries WHERE message = ? AND device = ? AND purpose = ?",
            [try chunks.chunk(place.chunk)?.message, sent.device, sent.purpose.rawValue])?["number"]
    }

    /// Returns the messages on whose timelines a push belongs.
    ///
    /// For a removal push, these are the messages that it removes, whether or not the phone has confirmed that meanwhile.
    private func subjects(of sent: SentPush, _ row: SQLRow) throws -> [PushSubject] {
        if let number: Int64 = row["message"] {
            return [
                PushSubject(number: number, message: try messages.id(ofMessage: number), revision: sent.revision)
            ]
        }
        guard sent.purpose == .removal else { return [] }
        let device: String = row["device"]
        return try removals.subjects(ofRemovals: [device: sent.removals])[device] ?? []
    }
}
