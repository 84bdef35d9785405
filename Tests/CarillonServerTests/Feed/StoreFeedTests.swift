import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("The feed of an app tells what has happened, each event once", .serialized, .timeLimit(.minutes(3)))
struct StoreFeedTests {
    @Test(
        "from the acceptance to the receipt, with the user, and typed replies only for who asks",
        arguments: StoreEngine.allCases)
    func story(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let start = try await store.openFeed()
        try await store.enrol([device("a", user: "u")], at: noon)
        var new = try message("m", to: .users(["u"]))
        new.keepsReplies = true
        _ = try await store.accept(new, at: noon)
        try await store.deliverAll()
        var reply = receipt(.acted, "m")
        (reply.detail, reply.reply) = ("answer", "Yes, please")
        _ = try await store.record([receipt(.shown, "m"), reply], from: "a", at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        let events = try await store.events(after: start)
        let expected: [FeedEventType] = [
            .deviceRegistered, .userSignedIn, .messageAccepted, .pushQueued, .pushSent, .pushAccepted,
            .messageFinished, .messageShown, .messageActed, .messageRecalled,
        ]
        #expect(events.map(\.type) == expected)
        #expect(events.dropFirst(2).allSatisfy { $0.message == MessageID(test: "m") })
        #expect(events.filter { $0.device != nil }.allSatisfy { $0.device == "a" && $0.user == "u" })
        let acted = try #require(events.first { $0.type == .messageActed })
        #expect(acted.details?.detail == "answer" && acted.details?.reply == nil)
        let told = try await store.events(after: start, FeedSelection(types: [.messageActed], hasTexts: true))
        #expect(told.map(\.id) == [acted.id] && told.first?.details?.reply == "Yes, please")
        #expect(Set(events.map(\.id)).count == events.count)
    }

    @Test("what becomes of devices and users", arguments: StoreEngine.allCases)
    func devices(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a", user: "u"), device("b"), device("c")], at: noon)
        let start = try await store.openFeed()
        _ = try await store.register(device("a", user: "v"), at: noon)
        _ = try await store.accept(try message("m", to: .devices(["a", "b"]), counts: false), at: noon)
        let pushes = try await store.claim(everything(), at: noon).deliveries.filter { $0.purpose == .show }
        try await store.settle(
            pushes.map {
                $0.settled(
                    $0.device == "a"
                        ? rejected("BadDeviceToken", 400) : rejected("Unregistered", 410, since: noon + .seconds(1)))
            }, at: noon)
        _ = try await store.delete("c", at: noon)
        let events = try await store.events(
            after: start,
            FeedSelection(types: [.userSignedIn, .userSignedOut, .deviceQuarantined, .deviceGone, .pushRejected]))
        let lines = events.map { [$0.type.rawValue, $0.device ?? "", $0.user ?? "", $0.details?.reason ?? ""] }
        let rest = lines.dropFirst(2).sorted { $0.description < $1.description }
        #expect(lines.prefix(2) == [["user.signed_out", "a", "u", ""], ["user.signed_in", "a", "v", ""]])
        #expect(
            rest == [
                ["device.gone", "b", "", "Unregistered"], ["device.gone", "c", "", ""],
                ["device.quarantined", "a", "v", "BadDeviceToken"], ["push.rejected", "a", "v", "BadDeviceToken"],
                ["push.rejected", "b", "", "Unregistered"],
            ])
    }

    @Test(
        "a broadcast in one row a kind and commit, of which readers get an event for each device",
        arguments: StoreEngine.allCases)
    func broadcast(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 1, chunkDevices: 64))
        try await store.enrol((0..<20).map { device("d\($0)") }, at: noon)
        let start = try await store.openFeed()
        _ = try await store.accept(try message("m", to: .everyone, counts: false), at: noon)
        var pushes: [ClaimedDelivery] = []
        while pushes.count < 20 { pushes += try await store.claim(everything(), at: noon).deliveries }
        let answers = pushes.enumerated().map { index, push in
            push.settled(index == 7 ? rejected("PayloadTooLarge", 413) : .accepted(apnsID: noID))
        }
        try await store.settle(answers, at: noon)
        _ = try await store.record([receipt(.shown, "m")], from: "d3", at: noon)
        let rows = try await store.read { try $0.integer("SELECT count(*) FROM feed WHERE places IS NOT NULL") }
        #expect(rows <= 4, "two kinds, before and after the rejection")
        for limit in [1, 3, 7, 1000] {
            let events = try await store.events(after: start, limit: limit)
            func devices(_ type: FeedEventType) -> [String] {
                events.filter { $0.type == type }.compactMap(\.device).sorted()
            }
            let all = (0..<20).map { "d\($0)" }.sorted()
            #expect(devices(.pushSent) == all, "\(limit)")
            #expect(devices(.pushAccepted) == all.filter { $0 != pushes[7].device })
            #expect(devices(.pushRejected) == [pushes[7].device] && devices(.messageShown) == ["d3"])
            #expect(Set(events.map(\.id)).count == events.count)
            let sent = try #require(events.first { $0.type == .pushAccepted })
            let push = try #require(pushes.first { $0.device == sent.device })
            #expect(sent.details?.apnsID == push.apnsID.lowercased && sent.details?.attempt == 1)
        }
    }

    @Test("never skips and tells once, while several processes write and one reads", arguments: StoreEngine.allCases)
    func writers(_ engine: StoreEngine) async throws {
        let stores = try await engine.makeSeveral(3, ranges: RangeRules(devices: 1, chunkDevices: 8))
        try await stores[0].enrol((0..<8).map { device("d\($0)") }, at: noon)
        let start = try await stores[0].openFeed()
        let count = 12
        // Made before, because two writers cannot make one sender at once.
        for writer in 0..<2 { _ = try await stores[0].sender("w\(writer)") }
        let read = try await withThrowingTaskGroup(of: Void.self) { group in
            for (writer, store) in stores.dropFirst().enumerated() {
                group.addTask {
                    for number in 0..<count {
                        let id = "w\(writer)-\(number)"
                        let audience: Audience = number.isMultiple(of: 3) ? .everyone : .devices(["d\(number % 8)"])
                        _ = try await store.accept(try message(id, to: audience, counts: false), at: noon)
                        let claimed = try await store.claim(everything(worker: "w\(writer)"), at: noon).deliveries
                        try await store.settle(claimed.map { $0.settled() }, at: noon)
                    }
                }
            }
            var (events, position): ([FeedEvent], FeedPosition) = ([], start)
            while events.count(where: { $0.type == .messageAccepted }) < 2 * count {
                let page = try await stores[0].feedPage(after: position, limit: 5)
                events += page.events
                position = page.next
                try Task.checkCancellation()
            }
            try await group.waitForAll()
            while try await !stores[1].deliverAll().isEmpty {}
            return events + (try await stores[0].events(after: position))
        }
        #expect(read == (try await stores[0].events(after: start)), "as one reads it who begins later")
        #expect(Set(read.map(\.id)).count == read.count)
        let pushes = Dictionary(grouping: read.filter { $0.type == .pushAccepted }) { $0.message?.rawValue ?? "" }
        for writer in 0..<2 {
            for number in 0..<count {
                let devices = pushes["w\(writer)-\(number)"]?.compactMap(\.device) ?? []
                let expected = number.isMultiple(of: 3) ? (0..<8).map { "d\($0)" } : ["d\(number % 8)"]
                #expect(devices.sorted() == expected, "w\(writer)-\(number)")
            }
        }
    }

    @Test(
        "nothing is written without a reader, and a reader who comes back too late is told",
        arguments: StoreEngine.allCases)
    func lease(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        _ = try await store.accept(try message("a", to: .everyone), at: noon)
        #expect(try await store.feedRows() == 0)
        let start = try await store.openFeed()
        _ = try await store.accept(try message("b", to: .everyone), at: noon)
        _ = try await store.accept(try message("x", to: .everyone, app: ferry), at: noon)
        let accepted = FeedSelection(types: [.messageAccepted])
        #expect(try await store.events(after: start, accepted).map(\.message) == [MessageID(test: "b")])
        let kept = StoreLimits.feedKept
        // Reading prolongs it only when half of the time is over.
        let half = noon + kept * 3 / 4
        _ = try await store.feed.read(chime.number, after: start, FeedSelection(), limit: 10, at: half)
        _ = try await store.accept(try message("c", to: .everyone), at: noon + kept + .seconds(60))
        let late = half + kept + .seconds(1)
        let position = try await store.feedPage(after: start, limit: 10, at: noon + kept).next
        let rows = try await store.feedRows()
        _ = try await store.accept(try message("d", to: .everyone), at: late)
        #expect(try await store.feedRows() == rows, "nobody keeps the feed open any more")
        let gone = try await store.feed.read(chime.number, after: position, FeedSelection(), limit: 10, at: late)
        #expect(gone == .gone(since: late))
        let again = try await store.openFeed(at: late)
        _ = try await store.accept(try message("e", to: .everyone), at: late)
        #expect(try await store.events(after: again, accepted, at: late).map(\.message) == [MessageID(test: "e")])
        let ahead = FeedPosition(number: again.number + 100)
        #expect(try await store.feed.read(chime.number, after: ahead, FeedSelection(), limit: 1, at: late) == .foreign)
    }

    @Test(
        "old events are deleted, and a cursor before them is refused, but not one that has missed nothing",
        arguments: StoreEngine.allCases)
    func purged(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let start = try await store.openFeed()
        _ = try await store.accept(try message("a", to: .everyone, counts: false), at: noon)
        let end = try await store.feedPage(after: start, limit: 10).next
        let later = noon + StoreLimits.feedKept / 2
        #expect(try await store.upkeep.purgeFeeds(before: noon, at: later) == 0, "nothing is older")
        #expect(try await store.upkeep.purgeFeeds(before: noon + .seconds(1), at: later) > 0)
        #expect(try await store.feedRows() == 0)
        let gone = try await store.feed.read(chime.number, after: start, FeedSelection(), limit: 10, at: later)
        #expect(gone == .gone(since: noon + .seconds(1)))
        _ = try await store.accept(try message("b", to: .everyone, counts: false), at: later)
        let accepted = FeedSelection(types: [.messageAccepted])
        #expect(try await store.events(after: end, accepted, at: later).map(\.message) == [MessageID(test: "b")])
    }

    @Test(
        "the events of a call share a row, and numbers of users are deleted when no event has them",
        arguments: StoreEngine.allCases)
    func shared(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol((0..<30).map { device("d\($0)", user: "u\($0 % 10)") }, at: noon)
        let start = try await store.openFeed()
        _ = try await store.accept(try message("m", to: .users((0..<10).map { "u\($0)" })), at: noon)
        #expect(try await store.feedRows() == 1)
        try await store.deliverAll()
        let events = try await store.events(after: start, limit: 7)
        #expect(events.count == 92 && events.count(where: { $0.user == "u3" }) == 9)
        let wanted = FeedSelection(types: [.pushAccepted])
        #expect(try await store.events(after: start, wanted, limit: 4) == events.filter { $0.type == .pushAccepted })
        func numbers() async throws -> Int {
            try await store.read { try $0.integer("SELECT count(*) FROM feed_users") }
        }
        #expect(try await numbers() == 10)
        let end = try await store.feedPage(after: start, limit: 1000).next
        let later = noon + StoreLimits.feedUserNoted * 2
        _ = try await store.accept(try message("n", to: .users(["u1"])), at: later)
        #expect(try await numbers() == 10)
        _ = try await store.upkeep.purgeFeeds(before: later, at: later)
        #expect(try await numbers() == 1)
        #expect(try await store.events(after: end, at: later).last?.user == "u1")
    }

    @Test("an erasure empties the rows of the user, and a removed app leaves none", arguments: StoreEngine.allCases)
    func erased(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let start = try await store.openFeed()
        try await store.enrol([device("a", user: "u"), device("b", user: "v")], at: noon)
        var new = try message("m", to: .users(["u", "v"]))
        new.keepsReplies = true
        _ = try await store.accept(new, at: noon)
        try await store.deliverAll()
        for device in ["a", "b"] {
            var reply = receipt(.acted, "m")
            (reply.detail, reply.reply) = ("answer", "from \(device)")
            _ = try await store.record([reply], from: device, at: noon)
        }
        let texts = FeedSelection(hasTexts: true)
        let before = try await store.events(after: start, texts)
        #expect(before.compactMap(\.details?.reply) == ["from a", "from b"])
        let erasure = try await store.erase(UserReference("u", of: chime.number), at: noon)
        #expect(erasure.remaining == 0)
        let events = try await store.events(after: start, texts)
        #expect(events.contains { $0.type == .userSignedOut })
        #expect(events.filter { $0.device == "a" }.allSatisfy { $0.user == nil && $0.details?.reply == nil })
        #expect(events.filter { $0.device == "b" } == before.filter { $0.device == "b" })
        #expect(events.contains { $0.user == "v" } && Set(events.compactMap(\.user)) == ["v"])
        // The same id is another person now.
        try await store.enrol([device("c", user: "u")], at: noon)
        let named = try await store.events(after: start, texts).filter { $0.user == "u" }
        #expect(Set(named.compactMap(\.device)) == ["c"])
        #expect(try await store.apps.remove(chime, by: AuditActor("test"), at: noon))
        try await store.deleteRemovedApps()
        #expect(try await store.feedRows() == 0)
        await #expect(throws: ServiceError.self) { try await store.openFeed() }
    }
}

extension Store {
    /// Opens the feed of the first app, and returns the cursor of now.
    @discardableResult
    func openFeed(at now: Timestamp = noon) async throws -> FeedPosition {
        try await page(after: nil, FeedSelection(), limit: 1, at: now).next
    }

    func feedPage(after start: FeedPosition, limit: Int, at now: Timestamp = noon) async throws -> FeedPage {
        try await page(after: start, FeedSelection(), limit: limit, at: now)
    }

    /// All events after a position, page by page.
    func events(
        after start: FeedPosition, _ selection: FeedSelection = FeedSelection(), limit: Int = 100,
        at now: Timestamp = noon
    ) async throws -> [FeedEvent] {
        var (events, position): ([FeedEvent], FeedPosition) = ([], start)
        while true {
            let page = try await page(after: position, selection, limit: limit, at: now)
            events += page.events
            position = page.next
            if page.isLast { return events }
        }
    }

    private func page(
        after start: FeedPosition?, _ selection: FeedSelection, limit: Int, at now: Timestamp
    ) async throws -> FeedPage {
        let reading = try await feed.read(chime.number, after: start, selection, limit: limit, at: now)
        guard case .page(let page) = reading else { throw ServiceError(.storage, "\(reading)") }
        return page
    }

    func feedRows() async throws -> Int {
        try await read { try $0.integer("SELECT count(*) FROM feed WHERE type <> 'feed.began'") }
    }
}

extension StoreEngine {
    /// Opens one database several times, as several processes do.
    func makeSeveral(_ count: Int, ranges: RangeRules = RangeRules()) async throws -> [Store] {
        let file = try TemporaryFolder().url.appending(path: "carillon.sqlite").path
        let address = self == .sqlite ? file : try await Self.emptySchema()
        var stores: [Store] = []
        for _ in 0..<count {
            stores.append(
                self == .sqlite
                    ? Store(try SQLiteEngine(path: address), ranges: ranges)
                    : try await Self.postgreSQL(at: address, ranges: ranges))
        }
        for app in [chime, ferry] { _ = try await stores[0].put(AppSettings(topic: app.topic), at: noon) }
        return stores
    }
}
