import CarillonCore
import Foundation
import Testing

@testable import CarillonSimulator

/// Runs sequences of events through the value that decides, without a socket.
private struct StoreHarness {
    static let start = Timestamp(secondsSince1970: 1_790_000_000)

    var store: DeviceStore
    var now = start
    let phone: Int
    let token: DeviceToken
    private(set) var log: [String] = []
    private(set) var wakes: [Timestamp] = []

    init(_ adjust: (inout DeliveryRules) -> Void = { _ in }) throws {
        var rules = DeliveryRules()
        adjust(&rules)
        store = DeviceStore(rules: rules)
        token = try #require(DeviceToken(hex: "aabb"))
        let owner = DeviceStore.TokenOwner(bundleID: "app", environment: .sandbox)
        _ = store.issueToken(device: "phone", owner: owner, fresh: token)
        phone = store.register("phone")
    }

    mutating func send(
        _ name: String, type: PushType = .alert, collapse: String? = nil, priority: Int = 10,
        expiration: ExpirationHeader = .unspecified
    ) {
        act(
            store.accept(
                SimulatorPush(
                    device: "phone", token: token, topic: "app", bundleID: "app", pushType: type,
                    payload: Data(name.utf8), collapseID: collapse, apnsID: UUID(), priority: priority,
                    expiration: expiration), on: phone, at: now))
    }

    mutating func connect() { act(store.connect(phone, at: now)) }
    mutating func disconnect() { act(store.disconnect(phone)) }
    mutating func power(_ power: DevicePower) { act(store.setPower(power, of: phone, at: now)) }
    mutating func wake() { act(store.wake(device: phone, at: now)) }
    mutating func invalidate() { act(store.invalidate(token, reason: .unregistered, at: now)) }

    mutating func takeLog() -> [String] {
        defer { log = [] }
        return log
    }

    private mutating func act(_ actions: [DeviceStore.Action]) {
        for action in actions {
            switch action {
            case .deliver(_, let push, let late):
                log.append("\(late ? "late" : "deliver") \(String(decoding: push.payload, as: UTF8.self))")
            case .record(let event):
                guard let push = event.push else { continue }
                let name = String(decoding: push.payload, as: UTF8.self)
                switch event.kind {
                case .stored(let cause, _): log.append("store \(name): \(cause.rawValue)")
                case .discarded(let cause): log.append("discard \(name): \(cause.rawValue)")
                default: break
                }
            case .wake(_, let moment): wakes.append(moment)
            }
        }
    }
}

@Suite("Store and forward, decided by a value")
struct StoreAndForwardTests {
    @Test("Store and forward: one push is kept per app and device, the newest")
    func one() throws {
        var harness = try StoreHarness()
        harness.send("a", collapse: "x")
        harness.send("b", collapse: "y")
        harness.connect()
        #expect(harness.takeLog() == ["store a: offline", "discard a: replaced", "store b: offline", "deliver b"])
    }

    @Test("Request: one whose time has passed has expired, whatever takes its place")
    func expiredBeforeItIsReplaced() throws {
        var harness = try StoreHarness()
        harness.send("a", expiration: .at(StoreHarness.start + .seconds(60)))
        harness.now = StoreHarness.start + .seconds(60)
        harness.send("b")
        harness.connect()
        #expect(harness.takeLog() == ["store a: offline", "discard a: expired", "store b: offline", "deliver b"])
    }

    @Test("Collapse: with the other policy one is kept per collapse id, in the order of coming")
    func perCollapseID() throws {
        var harness = try StoreHarness { $0.storage = .perCollapseID }
        for (name, id) in [("a", "x"), ("b", "y"), ("c", "x"), ("d", nil), ("e", nil)] {
            harness.send(name, collapse: id)
        }
        _ = harness.takeLog()
        harness.connect()
        #expect(harness.takeLog() == ["deliver b", "deliver c", "deliver e"])
    }

    @Test("Request: no push is kept longer than 30 days, whatever its expiration, nor handed over late after them")
    func thirtyDays() throws {
        for expiry in [DeliveryRules.Expiry.strict, .late] {
            var harness = try StoreHarness { $0.expiry = expiry }
            harness.send("a", expiration: .at(StoreHarness.start + .seconds(90 * 86_400)))
            var early = harness
            early.now = StoreHarness.start + .seconds(30 * 86_400 - 1)
            _ = early.takeLog()
            early.connect()
            #expect(early.takeLog() == ["deliver a"])
            harness.now = StoreHarness.start + .seconds(30 * 86_400)
            _ = harness.takeLog()
            harness.connect()
            #expect(harness.takeLog() == ["discard a: expired"])
        }
    }

    @Test("Request: a push that had expired before it came is discarded")
    func expiredOnArrival() throws {
        var harness = try StoreHarness()
        harness.connect()
        harness.send("a", expiration: .at(StoreHarness.start))
        #expect(harness.takeLog() == ["discard a: expired"])
    }

    @Test("Priority: 5 and 1 wait for a device that saves power, 1 for one that sleeps, 10 for none")
    func priority() throws {
        var harness = try StoreHarness { $0.storage = .perCollapseID }
        harness.connect()
        harness.power(.savingPower)
        harness.send("ten", priority: 10)
        harness.send("five", collapse: "5", priority: 5)
        harness.send("one", collapse: "1", priority: 1)
        #expect(harness.takeLog() == ["deliver ten", "store five: power", "store one: power"])
        harness.power(.idle)
        #expect(harness.takeLog() == ["deliver five"])
        harness.power(.inUse)
        #expect(harness.takeLog() == ["deliver one"])
    }

    @Test("Background pushes: beyond the budget only the newest is kept, and it goes out when the window allows")
    func throttle() throws {
        var harness = try StoreHarness { $0.backgroundBudget = .init(count: 2, per: .seconds(3600)) }
        harness.connect()
        for name in ["a", "b", "c", "d"] { harness.send(name, type: .background, priority: 5) }
        harness.send("alert")
        #expect(
            harness.takeLog() == [
                "deliver a", "deliver b", "store c: throttled", "discard c: replaced", "store d: throttled",
                "deliver alert",
            ])
        let moment = try #require(harness.wakes.last)
        #expect(moment == StoreHarness.start + .seconds(3600))
        harness.wake()
        #expect(harness.takeLog() == [])
        harness.now = moment
        harness.wake()
        #expect(harness.takeLog() == ["deliver d"])
    }

    @Test("Background pushes: a newer one that the budget admits replaces an older one that still waits for its wake")
    func throttledOlder() throws {
        var harness = try StoreHarness { $0.backgroundBudget = .init(count: 1, per: .seconds(60)) }
        harness.connect()
        harness.send("a", type: .background, priority: 5)
        harness.now = StoreHarness.start + .seconds(10)
        harness.send("b", type: .background, priority: 5)
        harness.now = StoreHarness.start + .seconds(60)
        harness.send("c", type: .background, priority: 5)
        harness.wake()
        harness.now = StoreHarness.start + .seconds(120)
        harness.wake()
        #expect(harness.takeLog() == ["deliver a", "store b: throttled", "discard b: replaced", "deliver c"])
    }

    @Test("Background pushes: of one that was throttled and one that came while the device was away the newest is kept")
    func throttledAndAway() throws {
        var harness = try StoreHarness { $0.backgroundBudget = .init(count: 1, per: .seconds(60)) }
        harness.connect()
        for name in ["a", "b"] { harness.send(name, type: .background, priority: 5) }
        harness.disconnect()
        harness.send("c", type: .background, priority: 5)
        harness.connect()
        #expect(harness.store.devices[harness.phone].stored.count == 1)
        harness.now = StoreHarness.start + .seconds(60)
        harness.wake()
        #expect(
            harness.takeLog() == [
                "deliver a", "store b: throttled", "store c: offline", "discard b: replaced", "deliver c",
            ])
    }

    @Test("410: an app's deletion empties its store; senders learn of it at once or, by the rule, later")
    func deletion() throws {
        var harness = try StoreHarness { $0.unregisteredDelay = .seconds(600) }
        harness.send("a")
        harness.invalidate()
        harness.send("b")
        #expect(harness.takeLog() == ["store a: offline", "discard a: unregistered", "discard b: unregistered"])
        let target = RequestTarget(deviceTokenText: Substring(harness.token.hex))
        let request = PushRequest(
            topic: "app", bundleID: "app", pushType: .alert, priority: 10, expiration: .unspecified,
            rule: PushTypeRule())
        #expect(throws: Never.self) {
            try harness.store.check(target, for: request, in: .sandbox, at: StoreHarness.start + .seconds(599))
        }
        let rejection = #expect(throws: Rejection.self) {
            try harness.store.check(target, for: request, in: .sandbox, at: StoreHarness.start + .seconds(600))
        }
        #expect(rejection?.reason == .unregistered)
        #expect(rejection?.timestamp == StoreHarness.start)
    }

    @Test("a request budget makes further pushes to one token TooManyRequests, until the window has passed")
    func requestBudget() throws {
        var harness = try StoreHarness { $0.requestBudget = .init(count: 2, per: .seconds(10)) }
        let target = RequestTarget(deviceTokenText: Substring(harness.token.hex))
        let request = PushRequest(
            topic: "app", bundleID: "app", pushType: .alert, priority: 10, expiration: .unspecified,
            rule: PushTypeRule())
        func reason(at now: Timestamp) -> RejectionReason? {
            do {
                _ = try harness.store.check(target, for: request, in: .sandbox, at: now)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(
            [reason(at: StoreHarness.start), reason(at: StoreHarness.start), reason(at: StoreHarness.start)] == [
                nil, nil, .tooManyRequests,
            ])
        #expect(reason(at: StoreHarness.start + .seconds(10)) == nil)
    }

    @Test("a clock that is set back by hours ends no budget for hours")
    func budgetAfterJump() {
        var window = SlidingWindow()
        let budget = DeliveryRules.Budget(count: 1, per: .seconds(60))
        let start = StoreHarness.start
        #expect(window.admit(under: budget, at: start) == nil)
        #expect(window.admit(under: budget, at: start + .seconds(1)) == start + .seconds(60))
        let back = start - .seconds(5 * 3600)
        #expect(window.admit(under: budget, at: back) == nil)
        #expect(window.admit(under: budget, at: back + .seconds(1)) == back + .seconds(60))
    }

    @Test("the same app on the same device has the same token until it is invalidated")
    func stableToken() throws {
        let fleet = DeviceFleet(
            rules: DeliveryRules(), tokenByteCount: 32, clock: ManualClock(start: StoreHarness.start),
            generator: SeededGenerator(seed: 1), journal: Journal(limit: 10), counters: Counters())
        let first = fleet.issueToken(device: "phone", topic: "app", environment: .sandbox)
        #expect(fleet.issueToken(device: "phone", topic: "app", environment: .sandbox) == first)
        #expect(fleet.issueToken(device: "phone", topic: "app", environment: .production) != first)
        fleet.invalidate(first)
        #expect(fleet.issueToken(device: "phone", topic: "app", environment: .sandbox) != first)
    }
}
