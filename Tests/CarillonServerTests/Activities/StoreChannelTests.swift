import CarillonAPNs
import CarillonCore
import Foundation
import Synchronization
import Testing

@testable import CarillonServer

/// An APNs for requests about channels, which remembers what it was asked.
final class ChannelAPNs: NotificationSender {
    struct State {
        var channels: [String] = ["somebody's"]
        var made = 0
        var broadcasts: [JSONValue] = []
        var priorities: [Int] = []
        var requests = 0
        /// The answer to the next requests, instead of the right one.
        var failure: ChannelAnswer?
        /// Whether requests are carried out although they get the answer ``failure``.
        var carriesOut = false
    }

    let state = Mutex(State())

    var channels: [String] { state.withLock(\.channels) }
    var broadcasts: [JSONValue] { state.withLock(\.broadcasts) }

    func fail(_ answer: ChannelAnswer?, carriesOut: Bool = false) {
        state.withLock { ($0.failure, $0.carriesOut) = (answer, carriesOut) }
    }

    func send(_ push: ComposedPush) async -> SendOutcome { .accepted(apnsID: push.apnsID) }

    func perform(_ request: ChannelCommand, id: UUID, for app: AppID) async -> ChannelAnswer {
        state.withLock { state in
            state.requests += 1
            if let failure = state.failure, request != .list {
                if state.carriesOut { _ = Self.carryOut(request, &state) }
                return failure
            }
            return Self.carryOut(request, &state)
        }
    }

    private static func carryOut(_ request: ChannelCommand, _ state: inout State) -> ChannelAnswer {
        switch request {
        case .list: return .listed(state.channels)
        case .make:
            state.made += 1
            state.channels.append("channel-\(state.made)")
            return .made("channel-\(state.made)")
        case .delete(let id):
            guard state.channels.contains(id) else { return .unknownChannel }
            state.channels.removeAll { $0 == id }
            return .done
        case .broadcast(let broadcast):
            guard state.channels.contains(broadcast.channel) else { return .unknownChannel }
            state.priorities.append(broadcast.priority.rawValue)
            state.broadcasts.append((try? JSONValue(parsing: broadcast.payload)["aps"]) ?? .null)
            return .done
        }
    }
}

@Suite("A Live Activity for many phones has a channel", .serialized, .timeLimit(.minutes(5)))
struct StoreChannelTests {
    /// A store with phones `d0`, `d1` … of the user `u`, with tokens that start matches.
    private func store(_ engine: StoreEngine, phones: Int = 3) async throws -> Store {
        let store = try await engine.make()
        try await store.enrol((0..<phones).map { device("d\($0)", user: "u") }, at: noon)
        for index in 0..<phones { try await store.tokens(start: "aa\(10 + index)", of: "d\(index)") }
        return store
    }

    private func start(_ store: Store, _ id: String = "match-7", at now: Timestamp = noon) async throws
        -> ActivityAcceptance
    {
        try await store.activities.start(
            NewActivity(
                id: MessageID(test: id), app: chime, type: "Match", attributes: JSONObject(["match": .string(id)]),
                alert: JSONObject(["title": "It begins"]), content: Store.goals(0), audience: .users(["u"]),
                channelFrom: 2, fingerprint: Data(id.utf8)), at: now)
    }

    /// Plays a sender that makes the requests about channels that are due.
    private func work(
        _ store: Store, _ apns: ChannelAPNs, by worker: String = "w", at now: Timestamp = noon
    ) async throws {
        while true {
            let claim = try await store.channels.claim(
                for: try await store.sender(worker), busy: [], limit: 16, at: now)
            guard !claim.channels.isEmpty else { return }
            for claimed in claim.channels { try await perform(claimed, store, apns, at: now) }
        }
    }

    private func perform(_ claimed: ClaimedChannel, _ store: Store, _ apns: ChannelAPNs, at now: Timestamp) async throws
    {
        let worker = ActivityChannelWorker(
            service: ServiceContext(
                configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store,
                clock: ManualClock(start: now), random: .seeded(1), logger: LogLines().logger),
            store: store.channels, sender: apns)
        await worker.perform(claimed)
    }

    private func channels(_ store: Store, at now: Timestamp = noon) async throws -> [LiveActivityReport.ChannelState]? {
        try await store.activities.report(MessageID(test: "match-7"), of: chime, at: now)?.channels?.map(\.state)
    }

    @Test(
        "it is made, phones start on it, one request updates all, and it is deleted after the end",
        arguments: StoreEngine.allCases)
    func story(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        let answer = try #require(try await start(store).report)
        #expect(answer.devices == 3 && answer.channels?.map(\.state) == [.making])
        #expect(try await store.claimMatches().isEmpty, "no phone starts before the channel is there")
        try await work(store, apns)
        #expect(apns.channels == ["somebody's", "channel-1"])
        let starts = try await store.sendMatches()
        #expect(starts.count == 3 && starts.allSatisfy { $0.activity?.event == .start })
        let aps = try #require(try starts.first?.aps)
        #expect(aps["input-push-channel"] == "channel-1" && aps["input-push-token"] == nil)
        #expect(try await store.states() == ["current": 3])

        let later = noon + .seconds(60)
        try await store.update(1, at: later)
        #expect(try await store.claimMatches(at: later).isEmpty, "no phone gets a push of its own")
        try await work(store, apns, at: later)
        #expect(apns.broadcasts.count == 1 && apns.broadcasts[0]["content-state"] == ["goals": 1])
        #expect(apns.broadcasts[0]["event"] == "update" && apns.broadcasts[0]["attributes"] == nil)
        try await work(store, apns, at: later)
        #expect(apns.broadcasts.count == 1)

        try await store.end(at: later + .seconds(1))
        #expect(try await store.states(at: later + .seconds(1)) == ["ending": 3])
        try await work(store, apns, at: later + .seconds(1))
        #expect(apns.broadcasts.count == 2 && apns.broadcasts[1]["event"] == "end")
        #expect(try await store.states(at: later + .seconds(1)) == ["ended": 3])
        #expect(try await channels(store) == [.closing])
        try await store.upkeep.purgeActivities(before: later + .seconds(3600))
        #expect(try await channels(store) == [.closing], "it is not purged before its channel is deleted")
        try await work(store, apns, at: later + .seconds(1) + DeliveryLimits.channelAfterEnd)
        #expect(apns.channels == ["somebody's"])
        #expect(try await channels(store) == nil)
        #expect(try await store.states(at: later + .seconds(1)) == ["ended": 3])
    }

    @Test("of updates that come at once, one request carries the newest", arguments: StoreEngine.allCases)
    func newest(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        try await work(store, apns)
        try await store.sendMatches()
        let later = noon + .seconds(60)
        for goals in 1...50 { try await store.update(goals, at: later) }
        try await work(store, apns, at: later)
        #expect(apns.broadcasts.map { $0["content-state"] } == [["goals": 50]])
        var calm = Store.goals(51)
        calm["priority"] = 5
        try await store.change("match-7", calm, at: later)
        try await work(store, apns, at: later + .seconds(1))
        #expect(apns.broadcasts.last?["content-state"] == ["goals": 51] && apns.broadcasts.last?["priority"] == nil)
        #expect(apns.state.withLock(\.priorities) == [10, 5])
    }

    @Test(
        "a process that ends at any step leaves no channel behind, and no phone without its state",
        arguments: StoreEngine.allCases)
    func killed(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        /// Claims what is due and lets APNs carry it out, but stores no answer, as a process that is killed then.
        func die(_ name: String, at now: Timestamp) async throws {
            let sender = try await store.sender(name)
            for claimed in try await store.channels.claim(for: sender, busy: [], limit: 16, at: now).channels {
                if let message = claimed.message {
                    _ = await apns.perform(message, id: claimed.id(of: "x"), for: claimed.app)
                } else {
                    let listed = apns.channels
                    let earlier = try await store.channels.beforeMaking(claimed, listed, at: now)
                    if earlier.found == nil { _ = await apns.perform(.make, id: claimed.id(of: "x"), for: claimed.app) }
                }
            }
            _ = try await store.release(sender, ifStillAt: nil, limit: 10, at: now)
        }
        try await die("first", at: noon)
        #expect(apns.channels == ["somebody's", "channel-1"])
        #expect(try await channels(store) == [.making])
        try await die("second", at: noon)
        try await work(store, apns)
        #expect(apns.channels == ["somebody's", "channel-1"], "the channel of the first is found")
        #expect(try await channels(store) == [.open])
        try await store.sendMatches()
        let later = noon + .seconds(60)
        try await store.update(1, at: later)
        try await die("third", at: later)
        try await work(store, apns, at: later)
        #expect(apns.broadcasts.map { $0["content-state"] } == [["goals": 1], ["goals": 1]])
        try await store.end(at: later)
        try await work(store, apns, at: later)
        let over = later + DeliveryLimits.channelAfterEnd
        try await die("fourth", at: over)
        #expect(apns.channels == ["somebody's"])
        try await work(store, apns, at: over)
        #expect(try await channels(store) == nil)
    }

    @Test("what has ended while its channel may have been made is found and deleted", arguments: StoreEngine.allCases)
    func endedInDoubt(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        apns.fail(.failed("no answer", mayHaveArrived: true), carriesOut: true)
        try await work(store, apns)
        apns.fail(nil)
        #expect(apns.channels == ["somebody's", "channel-1"])
        let report = try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon)
        #expect(report?.channels?.first?.problem == "no answer")
        try await store.end()
        try await work(store, apns, at: noon + .seconds(600))
        #expect(apns.channels.contains("channel-1") && apns.state.withLock(\.made) == 1)
        try await work(store, apns, at: noon + .seconds(600) + DeliveryLimits.channelAfterEnd)
        #expect(apns.channels == ["somebody's"])
        #expect(try await store.claimMatches().isEmpty)
    }

    @Test(
        "a refused channel is tried again with growing waits, and the report says why", arguments: StoreEngine.allCases)
    func refused(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        apns.fail(.failed("FeatureNotEnabled (403)", mayHaveArrived: false))
        for seconds in 0..<600 { try await work(store, apns, at: noon + .seconds(seconds)) }
        let requests = apns.state.withLock(\.requests)
        #expect((6...40).contains(requests), "\(requests)")
        apns.fail(nil)
        try await work(store, apns, at: noon + .seconds(1800))
        #expect(try await channels(store) == [.open] && apns.channels.count == 2)
    }

    @Test("a phone that started it with a token moves to the channel", arguments: StoreEngine.allCases)
    func moved(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        try await store.tokens(start: "aa10", ["match-7": "bb"], of: "d0")
        _ = try await start(store)
        try await work(store, apns)
        let pushes = try await store.sendMatches()
        #expect(pushes.map(\.words).sorted() == ["start aa10 0", "start aa11 0", "start aa12 0"])
        // The SDK ends the older one, whose token is gone then.
        try await store.tokens(start: "aa10", of: "d0")
        #expect(try await store.states() == ["current": 3])
        try await store.update(1, at: noon + .seconds(60))
        #expect(try await store.claimMatches(at: noon + .seconds(60)).isEmpty)
        // A phone without a token to start with stays with its own.
        try await store.tokens(["match-7": "cc"], of: "d1")
        try await store.update(2, at: noon + .seconds(61))
        #expect(try await store.sendMatches(at: noon + .seconds(61)).map(\.words) == ["update cc 2"])
    }

    @Test("a phone that has dismissed it counts as gone, although no token tells it", arguments: StoreEngine.allCases)
    func dismissed(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        try await work(store, apns)
        try await store.sendMatches()
        let receipt = LiveActivityReceipt(type: "Match", id: "match-7", event: .dismissed, at: noon)
        _ = try await store.activities.record([receipt], from: "d0", at: noon)
        #expect(try await store.states() == ["current": 2, "gone": 1])
        let report = try await store.activities.report(MessageID(test: "match-7"), of: chime, at: noon)
        #expect(report?.receipts == ["dismissed": 1])
    }

    @Test(
        "a start that is on its way while the state changes is followed by one more broadcast",
        arguments: StoreEngine.allCases)
    func race(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await store(engine), ChannelAPNs())
        _ = try await start(store)
        try await work(store, apns)
        let starts = try await store.claimMatches()
        try await store.update(1)
        try await work(store, apns)
        #expect(apns.broadcasts.count == 1)
        try await store.settle(starts.map { $0.settled(at: noon) }, at: noon)
        try await work(store, apns, at: noon + .seconds(5))
        #expect(apns.broadcasts.count == 1)
        try await work(store, apns, at: noon + .seconds(60))
        #expect(apns.broadcasts.map { $0["content-state"] } == [["goals": 1], ["goals": 1]])
    }

    @Test(
        "thousands of phones are started in steps, and an update changes no row of theirs",
        arguments: StoreEngine.allCases)
    func many(_ engine: StoreEngine) async throws {
        let (store, apns) = (try await engine.make(), ChannelAPNs())
        let phones = 2500
        try await store.enrol((0..<phones).map { device("d\($0)", user: "u") }, at: noon)
        _ = try await store.write(at: noon) {
            // More devices than the service binds to a user.
            try $0.execute("UPDATE devices SET user = 'u'")
            try $0.execute(
                """
                INSERT INTO activity_tokens (app, device, type, id, token, registered)
                SELECT app, id, 'Match', '', token, ? FROM devices
                """, [noon.millisecondsSince1970])
        }
        #expect(try await start(store).report?.devices == phones)
        try await work(store, apns)
        func rows(_ table: String) async throws -> Int {
            try await store.read { try $0.integer("SELECT count(*) FROM \(table)") }
        }
        #expect(
            try await rows("activity_phones") <= StoreLimits.devicesPerStep, "one transaction starts a bounded number")
        var started = 0
        while true {
            let pushes = try await store.claim(everything(limit: 500), at: noon).deliveries
            if pushes.isEmpty { break }
            started += pushes.count { $0.activity?.event == .start }
            try await store.settle(pushes.map { $0.settled() }, at: noon)
        }
        #expect(started == phones)
        #expect(try await store.states() == ["current": phones])
        let later = noon + .seconds(60)
        let before = try await rows("deliveries")
        try await store.update(1, at: later)
        #expect(try await rows("deliveries") == before)
        try await store.write(at: later) { session in
            // Tasks that have not begun, as after a hundred updates in a second.
            for _ in 0..<100 {
                session.room = 0
                try ChangingActivities(session).followTokens(of: 1, in: chime.number)
            }
        }
        #expect(try await rows("work") == 1)
        let requests = apns.state.withLock(\.requests)
        try await work(store, apns, at: later)
        #expect(apns.state.withLock(\.requests) == requests + 1)
        #expect(try await store.states(at: later) == ["current": phones])
    }
}
