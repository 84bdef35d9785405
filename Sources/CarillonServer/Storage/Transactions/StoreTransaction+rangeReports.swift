import CarillonCore

/// What is told of messages that are sent by ranges: sums over their chunks, beside what rows say of single devices.
extension StoreTransaction {
    /// Adds those who have no rows.
    func add(_ chunks: [StoredChunk], of message: RangedMessage, to counts: inout NotificationReport.Counts) {
        counts.devices = 0
        for chunk in chunks.map(\.chunk) {
            if chunk.revision == message.revision { counts.devices += chunk[.addressed].count }
            counts.accepted += chunk.plain.intersection(chunk[.accepted]).count
            let inFlight = chunk.inFlight.count
            counts[chunk.sender == nil ? .unanswered : .queued] += inFlight
            let passed = chunk.unsent.places().prefix { $0 < chunk.position }.count
            counts.cancelled += passed
            counts[chunk.rest] += chunk.unsent.count - passed
            for event in ReceiptEvent.allCases { counts.add(chunk[ChunkMark(event)].count, event) }
        }
    }

    /// How far a message has come.
    func progress(of message: RangedMessage, _ chunks: [StoredChunk]) throws -> NotificationReport.Progress {
        let chunks = chunks.filter { $0.chunk.revision == message.revision }
        var progress = NotificationReport.Progress(decided: Int(message.planned), total: Int(message.last ?? 0))
        let handed = chunks.reduce(0) { $0 + $1.chunk[.handed].count }
        guard let began = message.began, let last = chunks.compactMap(\.chunk.handedAt).max(), handed > 0 else {
            return progress
        }
        let seconds = Double((last - began).wholeMilliseconds) / 1000
        guard seconds > 0 else { return progress }
        let perSecond = Double(handed) / seconds
        progress.perSecond = perSecond
        let isOpen = try integer("SELECT open FROM ranges WHERE message = ?", [message.number]) > 0
        guard isOpen || chunks.contains(where: \.chunk.isOpen), !message.isPaused, message.planned > 0 else {
            return progress
        }
        // Those who are not decided on are taken to be meant as often as the others.
        let addressed = chunks.reduce(0) { $0 + $1.chunk[.addressed].count }
        let waiting = chunks.reduce(0) { $0 + $1.chunk.waiting(limit: .max).count }
        let share = Double(addressed) / Double(message.planned)
        let undecided = isOpen ? Double((message.last ?? 0) - message.planned) * share : 0
        progress.finishesAt = now + .milliseconds(Int64((Double(waiting) + undecided) / perSecond * 1000))
        return progress
    }

    /// Adds how those who have no rows stand with the removal of a message.
    func add(_ chunks: [StoredChunk], to outcomes: inout [String: Int], hasExpired: Bool) {
        func add(_ outcome: RecallOutcome, _ devices: DeviceSet) {
            if !devices.isEmpty { outcomes[outcome.rawValue, default: 0] += devices.count }
        }
        for chunk in chunks.map(\.chunk) {
            let requested = chunk.plain.intersection(chunk.asked)
            let reached = chunk.reached.subtracting(requested)
            let done = requested.intersection(chunk[.confirmed])
            let settled = hasExpired ? reached.intersection(chunk.settled) : DeviceSet()
            add(.confirmed, done.union(settled))
            add(.pending, requested.subtracting(done).union(reached.subtracting(settled)))
            add(.neverSent, chunk.plain.subtracting(chunk.reached))
        }
    }

    // MARK: Timelines

    /// One page of a message's devices in the order of their ids, of a bounded number that is looked at.
    ///
    /// - Returns: the devices that have no rows, and the id up to which all were looked at; `nil` when there are no more.
    func devices(
        of message: RangedMessage, after device: String, limit: Int
    ) throws -> (found: [(id: String, place: ChunkPlace)], end: String?) {
        var (found, position): ([(id: String, place: ChunkPlace)], String) = ([], device)
        for _ in 0..<ServiceLimits.timelineLooks {
            let rows = try rows(
                """
                SELECT id, app, ordinal FROM devices WHERE id > ? ORDER BY id LIMIT ?
                """, [position, ServiceLimits.timelineLook])
            for row in rows {
                let id: String = row["id"]
                if found.count == limit { return (found, position) }
                position = id
                guard row["app"] == message.app.number.rawValue, let ordinal: Int64 = row["ordinal"],
                    let place = try place(of: message, ordinal: ordinal)
                else { continue }
                if try chunk(place.chunk)?.chunk[.row].contains(place.place) == false { found.append((id, place)) }
            }
            if rows.count < ServiceLimits.timelineLook { return (found, nil) }
        }
        return (found, position)
    }

    /// What bits say of a device, as events; the moments are those of its chunk.
    func events(at place: ChunkPlace, of message: RangedMessage, on device: String) throws -> [TimelineEvent] {
        guard let chunk = try chunk(place.chunk)?.chunk else { return [] }
        func event(_ kind: TimelineEventKind, _ at: Timestamp?, attempt: Int? = nil) -> TimelineEvent {
            let id = PushIdentifier.uuid(
                message: message.id.rawValue, device: device, purpose: .show, revision: chunk.revision)
            return TimelineEvent(
                message: message.id, device: device, event: kind, at: at ?? message.accepted,
                purpose: kind.isReceipt ? nil : .show, revision: chunk.revision, attempt: attempt,
                apnsID: attempt == nil ? nil : id.lowercased,
                detail: at == nil ? nil : Self.chunkMoment)
        }
        var events = [event(.queued, nil)]
        let isHanded = chunk[.handed].contains(place.place)
        if isHanded { events.append(event(.sent, chunk.handedAt, attempt: 1)) }
        if chunk[.accepted].contains(place.place) {
            events.append(event(.accepted, chunk.acceptedAt, attempt: 1))
        }
        for kind in ReceiptEvent.allCases where chunk[ChunkMark(kind)].contains(place.place) {
            events.append(event(TimelineEventKind(kind), chunk.reportedAt))
        }
        return events
    }

    private static let chunkMoment = "at the latest: of a broadcast, the moment is kept for many devices together"
}
