import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("Figures are counted as things happen", .serialized, .timeLimit(.minutes(5)))
struct StoreFigureTests {
    @Test(
        "a message's, its campaign's and its app's, in rows and by ranges, and a repeated report counts once",
        arguments: StoreEngine.allCases, [false, true])
    func story(_ engine: StoreEngine, _ isRanged: Bool) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: isRanged ? 1 : 1000, chunkDevices: 4))
        try await store.enrol((0..<6).map { device("d\($0)") }, at: noon)
        var new = try message("m", to: .everyone, counts: false)
        new.campaign = "spring"
        _ = try await store.accept(new, at: noon)
        var pushes: [ClaimedDelivery] = []
        while pushes.count < 6 { pushes += try await store.claim(everything(), at: noon).deliveries }
        try await store.settle(
            pushes.map { push in
                switch push.device {
                case "d0": push.settled(rejected("PayloadTooLarge", 413))
                case "d1": push.settled(rejected("Unregistered", 410, since: noon + .seconds(1)))
                default: push.settled()
                }
            }, at: noon)
        let later = noon + .seconds(40)
        for device in ["d2", "d3"] {
            let receipts = [receipt(.received, "m", at: later), receipt(.shown, "m", at: later)]
            _ = try await store.record(receipts, from: device, at: later)
        }
        var acted = receipt(.acted, "m", at: later)
        acted.detail = "answer"
        _ = try await store.record([acted, receipt(.opened, "m", at: later)], from: "d2", at: later)
        let again = [receipt(.shown, "m", id: "again", at: later), receipt(.opened, "m", id: "more", at: later)]
        _ = try await store.record(again, from: "d2", at: later)
        var expected = Figures()
        (expected.accepted, expected.failed, expected.received, expected.shown) = (4, 2, 2, 2)
        (expected.opened, expected.acted) = (1, 1)
        expected.failures = ["PayloadTooLarge": 1, "Unregistered": 1]
        expected.shownWithin = ["60": 2]
        #expect(try await store.figures(message: "m") == expected)
        #expect(try await store.figures(campaign: "spring") == expected)
        expected.unregistered = 1
        #expect(try await store.figures() == expected)
        let page = try await store.figures.campaigns(
            of: chime.number, on: FigureDay(noon)...FigureDay(noon), after: nil, limit: 1, at: noon)
        #expect(page.campaigns.map(\.campaign) == ["spring"] && page.next == nil)
        #expect(page.campaigns.first?.figures.shown == 2)
        let other = try await store.figures.report(
            of: ferry.number, message: nil, campaign: nil, on: FigureDay(noon)...FigureDay(noon))
        #expect(other?.total == Figures() && other?.days == [])
    }

    @Test(
        "a push that APNs never answers has failed, and one that is tried again has not",
        arguments: StoreEngine.allCases)
    func unanswered(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a"), device("b")], at: noon)
        _ = try await store.accept(try message("m", to: .devices(["a", "b"]), counts: false), at: noon)
        var now = noon
        for attempt in 1...SendingRules().unansweredAttempts {
            let pushes = try await store.claim(everything(), at: now).deliveries.filter { $0.purpose == .show }
            #expect(pushes.map(\.device).contains("a"), "attempt \(attempt)")
            let answers = pushes.map {
                $0.settled($0.device == "a" ? .unanswered("") : rejected("TooManyRequests", 429), at: now)
            }
            try await store.settle(answers, at: now)
            now = now + .seconds(7200)
        }
        let figures = try await store.figures()
        #expect(figures.failures == ["unanswered": 1] && figures.accepted == 0)
    }

    @Test("who switches notifications off is counted, not who never allowed them", arguments: StoreEngine.allCases)
    func optOuts(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        var never = device("never")
        never.facts.permission = .notDetermined
        try await store.enrol([device("a"), device("b"), never], at: noon)
        for id in ["a", "never", "a"] { try await store.permit(.denied, id) }
        try await store.permit(.authorized, "a")
        var again = device("b")
        again.facts.permission = .denied
        _ = try await store.register(again, at: noon)
        #expect(try await store.figures().optOuts == 2)
    }

    @Test(
        "are deleted with their message, their app, or when they are old",
        arguments: StoreEngine.allCases)
    func deleted(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a")], at: noon)
        var new = try message("m", to: .devices(["a"]), counts: false)
        new.campaign = "spring"
        _ = try await store.accept(new, at: noon)
        try await store.deliverAll()
        #expect(try await store.figureRows() == 3)
        #expect(try await store.purge(before: noon + .seconds(1), limit: 10) == 1)
        #expect(try await store.figureRows() == 2, "of the app and the campaign")
        let day = Duration.seconds(24 * 3600)
        try await store.upkeep.purgeFigures(at: noon + day * StoreLimits.figureDaysKept)
        #expect(try await store.figureRows() == 2)
        try await store.upkeep.purgeFigures(at: noon + day * (StoreLimits.figureDaysKept + 1))
        #expect(try await store.figureRows() == 0)
        _ = try await store.accept(try message("n", to: .devices(["a"]), counts: false), at: noon)
        try await store.deliverAll()
        #expect(try await store.apps.remove(chime, by: AuditActor("test"), at: noon))
        try await store.deleteRemovedApps()
        #expect(try await store.figureRows() == 0)
    }

    @Test("one statement counts whatever a call has done, and a month is read from few rows")
    func cost() async throws {
        let engine = CountingEngine(try SQLiteEngine(path: TemporaryFolder().url.appending(path: "a.sqlite").path))
        let store = Store(engine, ranges: RangeRules(devices: 1, chunkDevices: 100))
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        try await store.enrol((0..<50).map { device("d\($0)") }, at: noon)
        let day = Duration.seconds(24 * 3600)
        for number in 0..<3 {
            let now = noon + day * number
            var new = try message("m\(number)", to: .everyone, counts: false)
            new.campaign = "spring"
            _ = try await store.accept(new, at: now)
            var reached: [String] = []
            while reached.count < 50 { reached += try await store.deliverAll(at: now).map(\.device) }
            for device in reached {
                _ = try await store.record([receipt(.shown, "m\(number)", at: now)], from: device, at: now)
            }
        }
        _ = engine.taken()
        let days = FigureDay(noon)...FigureDay(noon + day * 30)
        let report = try await store.figures.report(of: chime.number, message: nil, campaign: nil, on: days)
        #expect(report?.total.shown == 150 && report?.days.count == 3)
        #expect(engine.taken().read == [1])
        #expect(try await store.figureRows() == 27, "accepted, shown and its time, on three days, in three scopes")
    }

    // MARK: A plain reference

    private static let seeds = Seeds(fixed: 1...3, drawn: 3, filter: "StoreFigureTests")

    @Test(
        "after random calls as a plain count of the feed's events has them",
        arguments: StoreEngine.allCases, seeds.all)
    func random(_ engine: StoreEngine, _ seed: UInt64) async throws {
        var run = try await FigureRun(engine, seed: seed)
        for _ in 0..<150 { try await run.next() }
        let reference = try await run.reference()
        let days = FigureDay(noon)...FigureDay(run.now)
        func compare(_ figures: Figures, _ scope: FigureReference.Scope) {
            var found = figures
            if !scope.isOfRows { found.shownWithin = [:] }
            let expected = reference.figures(of: scope)
            #expect(found == expected, "\(scope): \(Self.seeds.again(seed))")
        }
        for message in run.messages {
            compare(
                try await run.store.figures(message: message.key, on: days),
                .init(messages: [message.key], isOfRows: !message.value.isRanged))
        }
        for campaign in ["spring", "autumn"] {
            let messages = run.messages.filter { $0.value.campaign == campaign }.keys
            compare(try await run.store.figures(campaign: campaign, on: days), .init(messages: Set(messages)))
        }
        let app = FigureReference.Scope(messages: Set(run.messages.keys), optOuts: run.optOuts, isOfApp: true)
        compare(try await run.store.figures(on: days), app)
        let report = try await run.store.figures.report(of: chime.number, message: nil, campaign: nil, on: days)
        for day in report?.days ?? [] {
            var scope = app
            (scope.day, scope.optOuts) = (day.day, day.figures.optOuts)
            compare(day.figures, scope)
        }
    }
}

/// A random run of calls, in which a service's clock and its phones agree.
private struct FigureRun {
    /// A message of the run.
    struct Sent {
        let isRanged: Bool
        let campaign: String?
        let audience: Audience
        var revision = 1
    }

    let store: Store
    let start: FeedPosition
    private(set) var now = noon
    private(set) var messages: [String: Sent] = [:]
    private(set) var optOuts = 0
    private var random: SeededGenerator
    private var permissions: [String: PermissionState] = [:]
    /// The revision of each message that APNs has last accepted for a device.
    private var arrived: [String: [String: Int]] = [:]
    private static let devices = (0..<10).map { "d\($0)" }

    init(_ engine: StoreEngine, seed: UInt64) async throws {
        random = SeededGenerator(seed: seed)
        store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 4))
        try await store.enrol(Self.devices.map { device($0) }, at: noon)
        start = try await store.openFeed()
    }

    mutating func next() async throws {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...2: try await send()
        case 3: try await replace()
        case 4...8: try await deliver(isPerfect: false)
        case 9...15: try await report()
        case 16: try await permit()
        case 17: await fail()
        default: now = now + .seconds(Int64.random(in: 1...20_000, using: &random))
        }
    }

    private mutating func send() async throws {
        let id = "m\(messages.count)"
        let isRanged = Bool.random(using: &random)
        let some = Set(Self.devices.filter { _ in Bool.random(using: &random) } + ["d0"])
        let sent = Sent(
            isRanged: isRanged, campaign: ["spring", "autumn", nil].randomElement(using: &random) ?? nil,
            audience: isRanged ? .everyone : .devices(some.sorted()))
        messages[id] = sent
        try await accept(id, sent)
    }

    private func accept(_ id: String, _ sent: Sent) async throws {
        var new = try message(id, to: sent.audience, text: "Revision \(sent.revision)", counts: false)
        new.campaign = sent.campaign
        _ = try await store.accept(new, at: now)
    }

    /// Sends a message with another text, and delivers it to all.
    private mutating func replace() async throws {
        guard let id = messages.keys.sorted().randomElement(using: &random), var sent = messages[id] else { return }
        sent.revision += 1
        messages[id] = sent
        try await accept(id, sent)
        while try await deliver(isPerfect: true) {}
    }

    @discardableResult
    private mutating func deliver(isPerfect: Bool) async throws -> Bool {
        let claimed = try await store.claim(everything(limit: 7), at: now).deliveries
        var answers: [SentPush] = []
        for push in claimed {
            let outcome = isPerfect || push.purpose != .show ? .accepted(apnsID: noID) : outcome()
            if outcome.isAccepted, push.purpose == .show, let message = push.message?.id.rawValue {
                arrived[message, default: [:]][push.device] = push.revision
            }
            answers.append(push.settled(outcome, at: now))
        }
        try await store.settle(answers, at: now)
        return !claimed.isEmpty
    }

    private mutating func outcome() -> SendOutcome {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: rejected("PayloadTooLarge", 413)
        case 1: rejected("TooManyRequests", 429)
        case 2: Int.random(in: 0..<8, using: &random) == 0 ? rejected("BadDeviceToken", 400) : .unconnected("")
        case 3:
            Int.random(in: 0..<8, using: &random) == 0 ? rejected("Unregistered", 410, since: now) : .unconnected("")
        default: .accepted(apnsID: noID)
        }
    }

    private mutating func report() async throws {
        guard let id = arrived.keys.sorted().randomElement(using: &random),
            let (device, revision) = arrived[id]?.sorted(by: { $0.key < $1.key }).randomElement(using: &random)
        else { return }
        let events: [ReceiptEvent] = [.received, .shown, .shown, .opened, .acted, .dismissed, .recalled]
        let receipts = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            let event = events.randomElement(using: &random) ?? .shown
            // A phone repeats a receipt under its id, and sometimes tells a thing twice.
            var one = receipt(
                event, id, id: "\(id)-\(event)-\(Int.random(in: 0..<3, using: &random))-\(revision)", at: now)
            one.revision = revision
            if event == .acted, Bool.random(using: &random) { one.detail = "answer" }
            return one
        }
        _ = try await store.record(receipts, from: device, at: now)
    }

    private mutating func permit() async throws {
        let device = Self.devices.randomElement(using: &random) ?? ""
        let permission: PermissionState = Bool.random(using: &random) ? .authorized : .denied
        let isKnown = try await store.permit(permission, device, at: now)
        guard isKnown else { return }
        if permission == .denied, permissions[device, default: .authorized] == .authorized { optOuts += 1 }
        permissions[device] = permission
    }

    /// Counts something in a transaction that is rolled back.
    private func fail() async {
        try? await store.write(at: now) { session in
            session.tally.add(.accepted, message: 1)
            throw ServiceError(.storage, "the test rolls it back")
        }
    }

    func reference() async throws -> FigureReference {
        FigureReference(events: try await store.events(after: start, at: now))
    }
}

/// Counts the events of a feed, one by one.
private struct FigureReference {
    /// The events to count.
    struct Scope {
        var messages: Set<String>
        /// Whether the times to the display are known exactly.
        var isOfRows = false
        var optOuts = 0
        var isOfApp = false
        var day: FigureDay?
    }

    let events: [FeedEvent]

    func figures(of scope: Scope) -> Figures {
        var figures = Figures()
        figures.optOuts = scope.optOuts
        var (known, accepted): (Set<[String]>, [[String]: Timestamp]) = ([], [:])
        for event in events {
            let isToday = scope.day.map { $0 == FigureDay(event.at) } ?? true
            if scope.isOfApp, event.type == .deviceGone, event.details?.reason == "Unregistered",
                known.insert([event.device ?? "", "gone"]).inserted, isToday
            {
                figures.unregistered += 1
            }
            guard let message = event.message?.rawValue, scope.messages.contains(message), let device = event.device
            else { continue }
            let place = [message, device]
            if event.type == .pushAccepted { accepted[place] = event.at }
            let isFirst = known.insert(place + [event.type.rawValue, "\(event.details?.revision ?? 1)"]).inserted
            guard isFirst || event.type == .pushRejected, isToday else { continue }
            add(event, sinceAcceptance: scope.isOfRows ? accepted[place] : nil, to: &figures)
        }
        return figures
    }

    private func add(_ event: FeedEvent, sinceAcceptance accepted: Timestamp?, to figures: inout Figures) {
        switch event.type {
        case .pushAccepted where event.details?.purpose == .show: figures.accepted += 1
        case .pushRejected where event.details?.purpose == .show && event.details?.reason != "TooManyRequests":
            figures.failed += 1
            figures.failures[event.details?.reason ?? "", default: 0] += 1
        case .messageReceived: figures.received += 1
        case .messageShown:
            figures.shown += 1
            guard let accepted else { return }
            let bound = Figure.bounds.first { event.at - accepted <= .seconds($0) }
            figures.shownWithin[bound.map { "\($0)" } ?? "more", default: 0] += 1
        case .messageOpened: figures.opened += 1
        case .messageActed: figures.acted += 1
        case .messageDismissed: figures.dismissed += 1
        default: break
        }
    }
}

extension Store {
    /// Returns the sums of the first app's figures, of its campaign's, or of its message's.
    fileprivate func figures(
        message: String? = nil, campaign: String? = nil,
        on days: ClosedRange<FigureDay> = FigureDay(noon)...FigureDay(noon)
    ) async throws -> Figures {
        let report = try await figures.report(
            of: chime.number, message: message.map { MessageID(test: $0) }, campaign: campaign, on: days)
        return try #require(report).total
    }

    fileprivate func figureRows() async throws -> Int {
        try await read { try $0.integer("SELECT count(*) FROM figures") }
    }

    /// Has a device report a permission, and returns whether the service knows the device.
    @discardableResult
    fileprivate func permit(_ permission: PermissionState, _ id: String, at now: Timestamp = noon) async throws -> Bool
    {
        let outcome = try await change(
            id, DeviceUpdate(facts: ["permission": .string(permission.rawValue)], nonce: "nonce"), at: now)
        return outcome != .unknown
    }
}
