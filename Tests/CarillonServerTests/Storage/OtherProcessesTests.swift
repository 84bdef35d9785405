import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Two services with connections of their own at one database, as two processes have them.
@Suite("What other processes have committed", .serialized, .timeLimit(.minutes(3)))
struct OtherProcessesTests {
    /// A way in which one process learns of another.
    enum Way: CaseIterable, CustomTestStringConvertible {
        case sqlite, polling, listening

        var testDescription: String { "\(self)" }
        /// The interval of looking: for a listening process so long that a test does not see it.
        var interval: Duration { self == .polling ? .milliseconds(20) : .seconds(3600) }
    }

    private static func stores(_ way: Way) async throws -> (api: Store, sender: Store, address: String) {
        let folder = try TemporaryFolder().url.appending(path: "carillon.sqlite").path
        let address = way == .sqlite ? folder : try await StoreEngine.emptySchema()
        var stores: [Store] = []
        for _ in 0..<2 {
            let store: Store
            if way == .sqlite {
                store = Store(try SQLiteEngine(path: address))
            } else {
                store = try await StoreEngine.postgreSQL(at: address, listens: way == .listening)
            }
            for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
            stores.append(store)
        }
        return (stores[0], stores[1], address)
    }

    /// Runs a process that takes requests and one that sends.
    private static func run(
        _ way: Way, _ body: @Sendable (_ api: RunningService, _ sender: RunningService, String) async throws -> Void
    ) async throws {
        let (api, sender, address) = try await stores(way)
        try await RunningService.run(store: api, roles: [.api], isReal: true, poll: way.interval) { one in
            try await RunningService.run(store: sender, isReal: true, poll: way.interval) { other in
                try await body(one, other, address)
            }
        }
    }

    private static let hello: JSONValue = ["aps": ["alert": ["title": "News", "body": "Hello"]]]

    private static func send(_ id: JSONValue, to user: JSONValue, by service: RunningService) async throws {
        let answer = try await service.call(
            "POST", "/v1/notifications", body: ["to": ["user": user], "payload": hello, "id": id])
        #expect(answer.status == 202)
    }

    @Test("a message is sent at once by another process, and whoever watches sees it", arguments: Way.allCases)
    func events(_ way: Way) async throws {
        try await Self.run(way) { api, sender, _ in
            var watch = try #require(EventWatch(api.service.events))
            var own = try #require(EventWatch(sender.service.events))
            try await TestPhone("phone", on: api).register(user: "u1")
            try await Self.send("m1", to: "u1", by: api)
            for kind in [TimelineEventKind.queued, .sent, .accepted] {
                #expect(await watch.next(kind, of: "m1", on: "phone") != nil)
                #expect(await own.next(kind, of: "m1", on: "phone") != nil)
            }
        }
    }

    @Test("the listening connection is lost: what is told afterwards arrives")
    func cut() async throws {
        try await Self.run(.listening) { api, sender, address in
            var watch = try #require(EventWatch(api.service.events))
            try await TestPhone("phone", on: api).register(user: "u1")
            try await Self.send("m1", to: "u1", by: api)
            #expect(await watch.next(.accepted, of: "m1") != nil)
            let handle = try PostgreSQLHandle(url: address)
            let channel = try handle.text("SELECT \(PostgreSQLListener.channel)")
            let listeners = """
                FROM pg_stat_activity
                WHERE pid <> pg_backend_pid() AND (query LIKE 'LISTEN \(channel)' OR query LIKE 'NOTIFY \(channel),%')
                """
            // A process that has not begun to listen yet finds what waits by itself.
            while try handle.text("SELECT CAST(count(*) AS TEXT) \(listeners)") != "2" { await Task.yield() }
            _ = try handle.text("SELECT CAST(count(pg_terminate_backend(pid)) AS TEXT) \(listeners)")
            try await Self.send("m2", to: "u1", by: api)
            #expect(await watch.next(.accepted, of: "m2") != nil)
        }
    }

    @Test("each event is told once, in whichever order its two ways bring it", arguments: Way.allCases)
    func once(_ way: Way) async throws {
        try await Self.run(way) { api, sender, _ in
            let events = try #require(api.service.events.subscribe())
            try await TestPhone("phone", on: api).register(user: "u1")
            for number in 0..<20 { try await Self.send(.string("m\(number)"), to: "u1", by: api) }
            var told: [TimelineEvent] = []
            for await event in events {
                told.append(event)
                if told.count == 60 { break }
            }
            // The last one's third event may come before another's: none has come twice.
            #expect(Set(told).count == 60)
        }
    }

    @Test("a message that another process accepts or pauses is named", arguments: Way.allCases)
    func messages(_ way: Way) async throws {
        try await Self.run(way) { api, sender, _ in
            var messages = try #require(sender.service.changedMessages.subscribe()).makeAsyncIterator()
            try await TestPhone("phone", on: api).register(user: "u1")
            let later: JSONValue = [
                "to": ["user": "u1"], "payload": Self.hello, "id": "m1",
                "send_at": .string("\(api.clock.now + .seconds(3600))"),
            ]
            #expect(try await api.call("POST", "/v1/notifications", body: later).status == 202)
            #expect(await messages.next()?.id.rawValue == "m1")
            #expect(try await api.call("POST", "/v1/notifications/m1/pause").status == 200)
            #expect(await messages.next()?.id.rawValue == "m1")
        }
    }

    @Test("a message is named with each change, however many are newer", arguments: StoreEngine.allCases)
    func oldMessage(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        func accept(_ id: String, text: String = "Hello", isLater: Bool = false) async throws {
            var new = try message(id, to: .users(["u"]), text: text)
            if isLater { new.sendAt = noon + .seconds(3600) }
            _ = try await store.accept(new, at: noon)
        }
        for id in ["old", "other"] { try await accept(id, isLater: true) }
        for number in 0..<StoreLimits.watchedMessages { try await accept("m\(number)") }
        var mark = try await store.news(since: nil, .messages, limit: 10).mark
        func named() async throws -> [String] {
            let news = try await store.news(since: mark, .messages, limit: 10)
            mark = news.mark
            return news.messages.map(\.id.rawValue)
        }
        let old = MessageReference(MessageID(test: "old"), of: chime.number)
        #expect(try await named() == [])
        for change in [SendingChange.pause, .resume, .cancel] {
            _ = try await store.steer(old, change, at: noon)
            #expect(try await named() == ["old"])
        }
        _ = try await store.recall(old, at: noon)
        #expect(try await named() == ["old"])
        try await accept("other", text: "Good evening")
        #expect(try await named() == ["other"])
        try await accept("new")
        #expect(try await named() == ["new"])
        #expect(try await named() == [])
    }

    @Test("a message that is sent by ranges is named as it goes on", arguments: StoreEngine.allCases)
    func ranges(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        try await store.enrol((0..<6).map { device("d\($0)") }, at: noon)
        var mark = try await store.news(since: nil, .messages, limit: 10).mark
        func named() async throws -> [String] {
            let news = try await store.news(since: mark, [.messages, .events], limit: 10)
            mark = news.mark
            return news.messages.map(\.id.rawValue)
        }
        #expect(try await named() == [])
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        #expect(try await named() == ["m"])
        let claim = try await store.claim(everything(), at: noon)
        #expect(claim.deliveries.count > 0)
        #expect(try await named() == ["m"])
        try await store.settle(claim.deliveries.map { $0.settled() }, at: noon)
        #expect(try await named() == ["m"])
        _ = try await store.record([receipt(.shown, "m")], from: "d0", at: noon + .seconds(1))
        #expect(try await named() == ["m"])
        #expect(try await named() == [])
    }
}

@Suite("The store publishes what a call has changed")
struct PublishedChangesTests {
    private let message = MessageReference(MessageID(test: "m"), of: chime.number)

    @Test("the message, its events, and that a push may be due, whichever call it was", arguments: StoreEngine.allCases)
    func calls(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol((0..<2).map { device("d\($0)", user: "u") }, at: noon)
        func heard(_ body: (Store) async throws -> Void) async throws -> String {
            let changes = try await store.hearing(body).changes
            let kinds = changes.timeline.map(\.event.rawValue)
            #expect(changes.messages.allSatisfy { $0 == message })
            return "\(changes.messages.count) \(kinds.joined(separator: " ")) \(changes.contains(where: \.mayBeDue))"
        }
        func accept(_ text: String) async throws -> String {
            let new = try CarillonServerTests.message("m", to: .users(["u"]), text: text)
            return try await heard { _ = try await $0.messages.accept(new, at: noon) }
        }
        func steer(_ change: SendingChange) async throws -> String {
            try await heard { _ = try await $0.messages.steer(message, change, at: noon) }
        }
        #expect(try await accept("Hello") == "1 queued queued true")
        #expect(try await accept("Hello") == "0  false", "a repetition")
        #expect(try await accept("Good evening") == "1 queued queued true")
        #expect(try await steer(.pause) == "1  true")
        #expect(try await steer(.pause) == "0  false")
        #expect(try await steer(.resume) == "1  true")
        let request = ClaimRequest(sender: try await store.sender("w"), limit: 1)
        let claim = try await store.claim(request, at: noon)
        let settled = try await heard {
            let sent = claim.deliveries.map { $0.settled() }
            _ = try await $0.sending.settle(sent, SendingRules(), claiming: nil, at: noon)
        }
        #expect(settled == "0 sent accepted false")
        let shown = try await heard {
            _ = try await $0.sync.record([receipt(.shown, "m", id: "r")], from: claim.deliveries[0].device, at: noon)
        }
        #expect(shown.hasPrefix("0 "))
        #expect(try await steer(.cancel) == "1 cancelled true")
        let recalled = try await heard {
            _ = try await $0.messages.recall(message, notice: nil, SendingRules(), by: AuditActor("test"), at: noon)
        }
        #expect(recalled == "1  true")
        let nothing = try await heard { try await $0.devices.signOut("nobody", by: .app, at: noon) }
        #expect(nothing == "0  false")
    }

    @Test("a call of several transactions publishes each when it is on the disk")
    func steps() async throws {
        let store = try await StoreEngine.sqlite.make()
        let devices = StoreLimits.devicesPerStep * 2 + 1
        try await store.enrol((0..<devices).map { device("d\($0)") }, at: noon)
        let new = try CarillonServerTests.message("m", to: .everyone, counts: false)
        let (_, changes) = try await store.hearing { try await $0.messages.accept(new, at: noon) }
        #expect(changes.timeline.count == devices)
        #expect(changes.count >= 3 && changes.allSatisfy { $0.timeline.count <= StoreLimits.devicesPerStep })
        #expect(changes[0].messages == [message])
    }

    @Test("nothing of a call that fails")
    func failed() async throws {
        let store = try await StoreEngine.sqlite.make()
        let (_, changes) = try await store.hearing { store in
            await #expect(throws: ServiceError.self) {
                try await store.write(at: noon) { session in
                    session.emit(message, .messageAccepted)
                    throw ServiceError(.storage, "broken")
                }
            }
        }
        #expect(changes.isEmpty)
    }
}

@Suite("Each event is published once")
struct PublishedEventsTests {
    private func event(_ device: String) -> TimelineEvent {
        TimelineEvent(message: MessageID(test: "m"), device: device, event: .sent, at: noon, revision: 1)
    }

    @Test("by the way that is first, as often as it has happened")
    func once() {
        var published = PublishedEvents(limit: 10)
        #expect(published.new([event("a"), event("a")], from: .ownProcess).count == 2)
        #expect(published.new([event("a"), event("b")], from: .store) == [event("b")])
        #expect(published.new([event("a")], from: .store).isEmpty)
        #expect(published.new([event("a")], from: .store) == [event("a")])
        #expect(published.new([event("b")], from: .ownProcess).isEmpty)
    }

    @Test("it remembers a limited number, the newest")
    func limit() {
        var published = PublishedEvents(limit: 2)
        for device in ["a", "b", "c"] { _ = published.new([event(device)], from: .ownProcess) }
        #expect(published.new([event("c"), event("b")], from: .store).isEmpty)
        #expect(published.new([event("a")], from: .store) == [event("a")])
    }
}
