import CarillonAPNs
import CarillonCore
import Foundation

@testable import CarillonServer

/// Makes the same calls of a store and of the reference, as a seed draws them, and compares what they answer.
struct ComparedCalls: CallDrawing {
    var reference = ReferenceStore()
    let engine: Store
    var chance: SeededGenerator
    var now = noon
    /// The leased pushes that were not settled, or settled too late: each as the engine and the reference have it.
    var leased: [(claim: ClaimedDelivery, other: ReferenceClaim)] = []
    var senders = 1
    private var drawn = 0
    private var log: [String] = []

    /// - Parameter rangeDevices: more devices than these are sent to by ranges. The default is never.
    init(engine: Store, seed: UInt64, rangeDevices: Int? = nil) {
        self.engine = engine
        reference.rangeDevices = rangeDevices
        chance = SeededGenerator(seed: seed)
    }

    var lastCalls: String { log.suffix(60).joined(separator: "\n") }

    /// Makes one call, and looks at everything.
    ///
    /// - Returns: how the two differ; `nil` when they do not.
    mutating func next() async throws -> String? {
        drawn += 1
        if chance.next() % 3 == 0 {
            now =
                now
                + pick([.milliseconds(1), .seconds(1), .seconds(70), .seconds(70), .seconds(700), .seconds(86_400)])
        }
        // Somebody sets the clock back.
        if isDrawn(oneIn: 60) { now = now - pick([.seconds(60), .seconds(86_400)]) }
        let difference = try await makeCall()
        if let difference { return "call \(drawn): \(difference)" }
        return try await differenceInState().map { "after call \(drawn): \($0)" }
    }

    private mutating func makeCall() async throws -> String? {
        switch chance.next() % 100 {
        case 0..<14: try await register()
        case 14..<36: try await accept()
        case 36..<41: try await steer()
        case 41..<62: try await claim()
        case 62..<76: try await settle()
        case 76..<84: try await report()
        case 84..<90: try await recall()
        case 90..<94: try await markRead()
        case 94..<96: try await signOut()
        // By ranges, a device that is deleted and comes again is another: that has its own tests.
        case 96..<97 where reference.rangeDevices == nil: try await delete()
        default: try await release()
        }
    }

    mutating func note(_ call: String) { log.append("\(drawn) at \(now): \(call)") }

    // MARK: Comparing

    /// Events by message and device, each in its order: which of two devices comes first is not promised.
    static func sorted(_ events: [TimelineEvent]) -> [String] {
        Dictionary(grouping: events) { "\($0.message) \($0.device)" }.sorted { $0.key < $1.key }
            .flatMap { $0.value.map { "\($0)" } }
    }

    static func difference<Value: Equatable>(_ what: String, _ engine: Value, _ reference: Value) -> String? {
        engine == reference ? nil : "\(what)\n  engine:    \(engine)\n  reference: \(reference)"
    }

    /// Only what the other has not, where that is all.
    static func difference<Value: Hashable>(_ what: String, ofAll engine: [Value], _ reference: [Value]) -> String? {
        guard engine != reference else { return nil }
        let (left, right) = (Set(engine), Set(reference))
        guard left != right else { return difference(what, engine, reference) }
        return difference(what, engine.filter { !right.contains($0) }, reference.filter { !left.contains($0) })
    }

    func difference(ofEvents engine: [TimelineEvent], _ reference: [TimelineEvent]) -> String? {
        Self.difference("events", ofAll: Self.sorted(compared(engine)), Self.sorted(compared(reference)))
    }

    /// Compares the events that are found while pushes are claimed; their order is not promised.
    func difference(ofFound engine: [TimelineEvent], _ reference: [TimelineEvent]) -> String? {
        Self.difference(
            "events", ofAll: Self.sorted(compared(engine)).sorted(), Self.sorted(compared(reference)).sorted())
    }

    private func compared(_ events: [TimelineEvent]) -> [TimelineEvent] {
        events.filter { !isRanged($0.message, on: $0.device) }.map(unnamed)
    }

    /// By ranges, a push with removals that a sender has left is named for its chunk, and not for its device.
    private func unnamed(_ event: TimelineEvent) -> TimelineEvent {
        guard reference.rangeDevices != nil, event.purpose == .removal else { return event }
        var event = event
        event.apnsID = nil
        return event
    }

    private func unnamed(_ timeline: Timeline?) -> Timeline? {
        timeline.map { timeline in
            let devices = timeline.devices.map { device in
                var device = device
                device.events = device.events.map(unnamed)
                return device
            }
            return Timeline(id: timeline.id, devices: devices, next: timeline.next)
        }
    }

    /// Whether a message on a device is one that is sent by ranges.
    func isRanged(_ message: MessageID?, on device: String) -> Bool {
        guard let message, let app = Self.phones.first(where: { $0.id == device })?.app else { return false }
        return isRanged(MessageReference(message, of: app.number))
    }

    func isRanged(_ message: MessageReference) -> Bool {
        reference.number(of: message).map { reference.message($0).isRanged } ?? false
    }

    /// Numbers tell which entry is newer; more is not promised of them.
    private static func compared(_ entries: [InboxEntry]) -> [InboxEntry] {
        entries.map { entry in
            var entry = entry
            entry.number = 0
            return entry
        }
    }

    /// Looks at everything that is told.
    mutating func differenceInState() async throws -> String? {
        for app in [chime, ferry] {
            for id in Self.ids {
                let message = MessageReference(MessageID(test: id), of: app.number)
                if let difference = try await difference(in: message) { return "\(app.topic) \(id): \(difference)" }
            }
            for user in Self.users.map({ UserReference($0, of: app.number) }) {
                let entries = try await engine.inbox(user: user, before: nil, limit: 100, at: now)
                let others = reference.inbox(user, at: now)
                let difference = Self.difference("inbox of \(user)", Self.compared(entries), Self.compared(others))
                if let difference { return difference }
            }
            // By ranges, it is not counted who waits.
            guard reference.rangeDevices == nil else { continue }
            let waiting = try await engine.waiting(in: app.number, atMost: 10_000)
            let others = reference.waiting(in: app.number)
            if let difference = Self.difference("waiting", waiting, others.count) {
                return "\(difference)\n    its rows:  \(try await waitingRows())\n    reference: \(others)"
            }
        }
        for phone in Self.phones {
            let known = try await engine.device(phone.id)
            let sync = try await engine.sync(phone.id, limit: 100, at: now)
            let difference =
                Self.difference("device", known, reference.devices[phone.id]?.record)
                ?? Self.difference("sync", sync, reference.sync(phone.id, at: now))
            if let difference { return "\(phone.id): \(difference)" }
        }
        guard reference.rangeDevices == nil else { return nil }
        return Self.difference("next due", try await engine.nextDue(except: []), reference.nextDue)
    }

    /// Every push that waits for whichever app or was set aside, as "device purpose", with what decides where it is looked
    /// for.
    private func waitingRows() async throws -> [String] {
        try await engine.read { connection in
            try connection.rows(
                """
                SELECT device, purpose, channel, sender, problem FROM deliveries
                WHERE state IN ('queued', 'set-aside') ORDER BY device, purpose
                """, []
            )
            .map { row in
                let (channel, sender): (Int64?, Int64?) = (row["channel"], row["sender"])
                return "\(try row["device"] as String) \(try row["purpose"] as String) channel \(channel ?? .min)"
                    + " sender \(sender ?? 0) \(row.text("problem") ?? "")"
            }
        }
    }

    private func difference(in message: MessageReference) async throws -> String? {
        var report = try await engine.report(message, at: now)
        report?.progress = nil
        let answer = try await engine.recallAnswer(message, limit: 100)
        let timeline = try await engine.timeline(message, after: nil, limit: 100, at: now)
        let recipients = try await differenceInRecipients(of: message, report)
        return Self.difference("report", report, reference.report(message, at: now)) ?? recipients
            ?? Self.difference("recall", answer, reference.recallAnswer(message))
            ?? (isRanged(message)
                ? Self.difference(
                    "timeline", Self.kinds(of: timeline), Self.kinds(of: reference.timeline(message, at: now)))
                : Self.difference("timeline", unnamed(timeline), unnamed(reference.timeline(message, at: now))))
    }

    /// The list of each group must have as many devices as the report counts; each device once.
    private func differenceInRecipients(
        of message: MessageReference, _ report: NotificationReport?
    ) async throws -> String? {
        guard let report else { return nil }
        for group in RecipientGroup.allCases where group != .notShown {
            let found = try await engine.recipients(of: message, in: group, pagesOf: 2, at: now)
            // Nobody is addressed before the time of a scheduled message, and whom it would have been for is not told.
            let count =
                report.counts.deliveries == report.counts.devices || report.sendAt == nil ? report.counts[group] : nil
            if let count, found.count != count || Set(found.map(\.device)).count != count {
                return "\(message.id): \(count) devices \(group.rawValue), and in the list \(found.map(\.device))"
            }
        }
        return nil
    }

    /// Returns the part of a timeline that is promised for a message that is sent by ranges.
    private static func kinds(of timeline: Timeline?) -> [String] {
        (timeline?.devices ?? []).map { device in
            // Pushes that only remove it, and second ones that are not needed after all, leave nothing; and where those have
            // expired, nothing else is concluded.
            let told = device.events.filter { event in
                let isSecond = event.purpose == .fallback || event.purpose == .notice
                let isOver = isSecond && [.cancelled, .expired].contains(event.event)
                return event.purpose != .removal && !isOver && event.inferred != true
            }
            // Of earlier revisions only what rows have is told.
            let revision = told.filter { $0.event == .queued }.map(\.revision).max() ?? 1
            let current = told.filter { revision == 1 || $0.revision == revision && !$0.event.isReceipt }
            let kinds = Set(current.map(\.event.rawValue)).subtracting(["sent"])
            return "\(device.device) \(device.state) \(device.recall?.rawValue ?? "-") \(kinds.sorted())"
        }.sorted()
    }
}
