import CarillonAPNs
import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("An app that is removed", .serialized)
struct RemovedAppTests {
    private static let anna = AuditActor("anna on web-1")

    private func remove(_ store: Store, _ app: AppReference = chime) async throws -> Bool {
        try await store.apps.remove(app, by: Self.anna, at: noon)
    }

    /// Claims until nothing is due, without settling.
    private func claimAll(_ store: Store, at now: Timestamp = noon) async throws -> [ClaimedDelivery] {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(worker: "claims"), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found }
        }
    }

    /// The problems of the database, without those of a server for tests that may lose data in a crash.
    private func wrongCounts(_ store: Store) async throws -> [String] {
        try await store.inspection().problems.filter { !$0.contains("a crash of the server") }
    }

    // MARK: Its rows

    @Test("leaves no row in any table, and the rows of other apps as they were", arguments: StoreEngine.allCases)
    func rows(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        let names = try await AppRows.names(in: store)
        let before = try await AppRows.counts(in: store, names)
        #expect(
            Set(before.own.keys) == [
                "activities", "activity_phones", "activity_requests", "activity_tokens", "alarms", "api_key_apps",
                "app_credentials", "apps", "chunks", "deliveries", "device_tags", "devices", "events",
                "feed", "feed_users", "feeds", "figures", "idempotency", "inbox", "message_changes",
                "message_variables", "messages",
                "ranges", "removal_leases", "removals", "sign_in_keys", "templates", "token_claims", "unread",
                "webhooks",
                "widget_tokens", "work",
            ])
        #expect(try await remove(store))
        #expect(try await store.upkeep.removedApps().map(\.topic) == [chime.topic])
        #expect(try await store.deleteRemovedApps() == [chime.topic])
        let after = try await AppRows.counts(in: store, names)
        #expect(after.own == [:])
        for (table, count) in before.all {
            #expect(after.all[table] == count - (before.own[table] ?? 0), "\(table)")
        }
        #expect(try await store.upkeep.removedApps().isEmpty)
        #expect(try await store.deleteRemovedApps().isEmpty)
        #expect(try await wrongCounts(store) == [])
        #expect(try await store.health().setAside == 0)
    }

    @Test(
        "is removed and changed only itself, not the app that was added with its bundle id since",
        arguments: StoreEngine.allCases)
    func onlyItself(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        #expect(try await store.apps.remove(chime, by: Self.anna, at: noon))
        let added = try await store.put(AppSettings(topic: chime.topic), at: noon)
        #expect(added.reference.number != chime.number)
        let slower = AppSettings(topic: chime.topic, sendsPerSecond: 5)
        #expect(try await store.apps.change(chime, slower, by: Self.anna, at: noon) == nil)
        #expect(try await !store.apps.remove(chime, by: Self.anna, at: noon))
        #expect(try await store.app(chime.topic) == added)
        #expect(try await store.apps.remove(added.reference, by: Self.anna, at: noon))
    }

    @Test("is deleted whole, whichever transaction its process dies at")
    func crashes() async throws {
        for moment in [CrashingEngine.Moment.before, .after] {
            var (call, hasCrashed) = (1, true)
            while hasCrashed {
                let store = try await AppRows.store(.sqlite)
                let names = try await AppRows.names(in: store)
                let crashing = CrashingEngine(store.transactions.engine, at: call, moment)
                let first = Store(crashing, ranges: store.transactions.ranges)
                do {
                    _ = try await remove(first)
                    try await first.deleteRemovedApps()
                } catch is CrashingEngine.Crash {}
                _ = try await remove(store)
                try await store.deleteRemovedApps()
                #expect(try await AppRows.counts(in: store, names).own == [:], "call \(call), \(moment)")
                #expect(try await store.apps.all().map(\.topic) == [ferry.topic])
                #expect(try await store.audit.entries(limit: 99).count { $0.action == "app-removed" } == 1)
                hasCrashed = crashing.hasCrashed
                call += 1
            }
            #expect(call > 6)
        }
    }

    @Test("is deleted in transactions of bounded size", arguments: StoreEngine.allCases)
    func bounded(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol((0..<150).map { device("d\($0)", user: "u\($0)") }, at: noon)
        for id in ["a", "b", "c"] { _ = try await store.accept(try message(id, to: .everyone), at: noon) }
        let counting = CountingEngine(store.transactions.engine)
        let counted = Store(counting, ranges: store.transactions.ranges)
        #expect(try await remove(counted))
        var left = [try await rowCount(store)]
        while left.last ?? 0 > 0 {
            let isDone = try await counted.write(at: noon) {
                try RemovingApps($0).deleteMessages(of: chime.number)
                    && RemovingApps($0).deleteDevices(of: chime.number)
            }
            left.append(try await rowCount(store))
            if isDone { break }
        }
        // The last step of one phase does the first of the next here.
        let most = StoreLimits.rowsPerStep + StoreLimits.devicesPerStep * 3
        #expect(zip(left, left.dropFirst()).allSatisfy { $0 - $1 <= most }, "\(left)")
        #expect(left.count > 3 && left.last == 0, "\(left)")
        #expect(counting.taken().written.allSatisfy { $0 < 1000 })
    }

    private func rowCount(_ store: Store) async throws -> Int {
        try await store.read { session in
            try ["deliveries", "events", "inbox", "messages", "devices"].reduce(0) {
                try $0 + session.integer("SELECT count(*) FROM \($1)")
            }
        }
    }

    @Test("is found again by the deletion, where rows came after its steps", arguments: StoreEngine.allCases)
    func again(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol(device("d", user: "u"), at: noon)
        #expect(try await remove(store))
        #expect(try await store.write(at: noon) { try RemovingApps($0).end(chime.number) } == nil)
        try await store.deleteRemovedApps()
        #expect(try await store.write(at: noon) { try RemovingApps($0).end(chime.number) } == false)
    }

    @Test("is deleted once, however many processes do so at the same time", arguments: StoreEngine.allCases)
    func together(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        let names = try await AppRows.names(in: store)
        #expect(try await remove(store))
        let app = try #require(try await store.upkeep.removedApps().first)
        let ended = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<3 { group.addTask { try await store.upkeep.delete(app, at: noon) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ended == 1)
        #expect(try await AppRows.counts(in: store, names).own == [:])
    }

    // MARK: Its pushes

    @Test("is not sent to any more at once, and other apps are", arguments: StoreEngine.allCases)
    func sending(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        #expect(try await remove(store))
        let later = noon + .seconds(2 * 86_400)
        let claimed = try await claimAll(store, at: later)
        #expect(Set(claimed.map(\.app.topic)) == [ferry.topic] && claimed.count > 5)
        try await store.settle(claimed.map { $0.settled(at: later) }, at: later)
        #expect(try await claimAll(store, at: later).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        let probe = try await store.claim(
            TestClaim(worker: "w", limit: 5, only: AppID(topic: chime.topic, environment: .sandbox)), at: later)
        #expect(probe.deliveries.isEmpty && !probe.isAnythingWaiting)
        #expect(try await store.health().setAside == 0)
        try await store.deleteRemovedApps()
        #expect(try await wrongCounts(store) == [])
    }

    @Test("drops what APNs answers to its last pushes, before and after the deletion", arguments: StoreEngine.allCases)
    func inFlight(_ engine: StoreEngine) async throws {
        for isDeleted in [false, true] {
            let store = try await AppRows.store(engine)
            let flying = try await claimAll(store).filter { $0.app.topic == chime.topic }
            #expect(Set(flying.map { ChunkPlace(number: $0.number) == nil }) == [true, false], "rows and chunks")
            #expect(try await remove(store))
            if isDeleted { try await store.deleteRemovedApps() }
            let answers: [SendOutcome] = [
                .accepted(apnsID: noID), .unanswered("lost"), rejected("Unregistered", 410),
                .unsendable("the app was removed"),
            ]
            let sent = flying.enumerated().map { $1.settled(answers[$0 % answers.count]) }
            #expect(try await store.settle(sent, at: noon).isEmpty)
            #expect(try await store.health().setAside == 0)
            #expect(try await !claimAll(store).contains { $0.app.topic == chime.topic })
            let names = try await AppRows.names(in: store)
            try await store.deleteRemovedApps()
            #expect(try await AppRows.counts(in: store, names).own == [:])
        }
    }

    @Test("holds up nobody who takes over the leases of a dead sender", arguments: StoreEngine.allCases)
    func takenOver(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        _ = try await claimAll(store)
        #expect(try await remove(store))
        for name in ["c", "f", "claims"] {
            var (isDone, steps) = (false, 0)
            while !isDone, steps < 100 {
                let sender = try await store.sender(name)
                isDone = try await store.release(sender, ifStillAt: nil, limit: 3, at: noon).isDone
                steps += 1
            }
            #expect(isDone)
        }
        #expect(Set(try await claimAll(store).map(\.app.topic)) == [ferry.topic])
    }

    // MARK: Its keys

    @Test(
        "takes its own API keys with it, and leaves those that are for other apps too", arguments: StoreEngine.allCases)
    func keys(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        let contents = try await store.apps.contents(of: chime)
        #expect(contents.ownKeys.map(\.id) == ["c-key"] && contents.sharedKeys.map(\.id) == ["both"])
        #expect(contents.credentials == APNsEnvironment.allCases && contents.signInKeys == 1)
        #expect(contents.devices == 7 && contents.messages == 7)
        #expect(contents.unsent == 4, "all but those that are out")
        #expect(try await remove(store))
        #expect(try await store.apiKey("c-key")?.revoked == noon)
        let both = try await store.apiKey("both")
        #expect(both?.revoked == nil && both?.apps == [ferry])
        #expect(try await store.apiKey("f-key")?.apps == [ferry])
        #expect(try await store.signInKeys(of: chime.number).isEmpty)
        #expect(
            try await store.audit.entries(limit: 2).reversed().map {
                "\($0.actor): \($0.action) \($0.app ?? "-") \($0.subject)"
            }
                == [
                    "anna on web-1: app-removed com.example.chime ",
                    "anna on web-1: api-key-revoked com.example.chime c-key",
                ])
        // The last app takes the rest; a later first app gets none of these keys.
        #expect(try await remove(store, ferry))
        #expect(try await !remove(store, ferry))
        #expect(try await store.apiKeys().allSatisfy { $0.revoked != nil && $0.apps.isEmpty })
        try await AppRows.addKey("fresh", to: [], in: store)
        let first = try await store.put(AppSettings(topic: "com.example.first"), at: noon)
        #expect(try await store.apiKeys().filter { !$0.apps.isEmpty }.map(\.id) == ["fresh"])
        #expect(first.reference.number.rawValue > ferry.number.rawValue)
    }

    // MARK: Calls that come late

    @Test(
        "is refused to calls that looked it up before, and they leave no row, before and after the deletion",
        arguments: StoreEngine.allCases)
    func late(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        let names = try await AppRows.names(in: store)
        #expect(try await remove(store))
        let before = try await AppRows.counts(in: store, names).all
        try await refusesLateCalls(store)
        #expect(try await AppRows.counts(in: store, names).all == before)
        try await store.deleteRemovedApps()
        try await refusesLateCalls(store)
        #expect(try await AppRows.counts(in: store, names).own == [:])
    }

    private func refusesLateCalls(_ store: Store) async throws {
        let imported = ImportedDevice(
            app: chime, environment: .sandbox, token: testToken("abcd"), user: nil,
            facts: DeviceFacts(permission: .authorized), id: "c-imported")
        let calls: [(String, @Sendable () async throws -> Void)] = [
            ("send", { _ = try await store.accept(try message("c-new", to: .users(["u0"])), at: noon) }),
            ("send to all", { _ = try await store.accept(try message("c-all", to: .everyone), at: noon) }),
            (
                "replace",
                { _ = try await store.accept(try message("waiting", to: .users(["u0"]), text: "2"), at: noon) }
            ),
            ("register", { _ = try await store.register(device("c-new"), at: noon) }),
            ("register again", { _ = try await store.register(device("c0"), at: noon) }),
            ("import", { _ = try await store.importDevices([imported], at: noon) }),
            ("make a key", { try await AppRows.addKey("late", to: [ferry, chime], in: store) }),
            (
                "make a sign-in key",
                {
                    _ = try await store.add(
                        SignInKey(id: "l", app: chime.number, algorithm: .hs256, key: Data(), created: noon))
                }
            ),
        ]
        for (name, call) in calls {
            let error = await #expect(throws: ServiceError.self, "\(name)") { try await call() }
            #expect(error?.code == .removed, "\(name)")
        }
        #expect(try await store.device("c0") == nil)
        let change = DeviceUpdate(facts: [:], nonce: "n")
        #expect(try await store.change("c0", change, at: noon) == .unknown)
        #expect(try await store.claimToken(for: "c0", nonce: "nonce", at: noon) == .unknown)
        #expect(try await store.delete("c0", at: noon) == nil)
        #expect(try await store.record([receipt(.opened, "news", id: "late")], from: "c1", at: noon).recorded.isEmpty)
        #expect(try await store.report(MessageID(test: "waiting"), at: noon) == nil)
        let settings = AppSettings(topic: chime.topic, sendsPerSecond: 5)
        #expect(try await store.apps.change(chime, settings, by: Self.anna, at: noon) == nil)
        #expect(try await store.apps.all().map(\.topic) == [ferry.topic])
    }

    // MARK: Its name

    @Test("leaves its name to a new app at once, with the phones that register there", arguments: StoreEngine.allCases)
    func addedAgain(_ engine: StoreEngine) async throws {
        let store = try await AppRows.store(engine)
        #expect(try await remove(store))
        let added = try await store.put(AppSettings(topic: chime.topic), at: noon).reference
        #expect(added.number != chime.number)
        #expect(try await store.register(device("c1", secret: 9, app: added), at: noon) == .wrongSecret)
        for id in ["c0", "new"] {
            guard case .registered(let device) = try await store.register(device(id, app: added), at: noon) else {
                Issue.record("\(id) is refused")
                continue
            }
            #expect(device.app == added && device.user == nil && device.facts.tags == [])
            #expect(try await store.sync(id, limit: 9, at: noon)?.removals.isEmpty == true)
        }
        _ = try await store.accept(try message("waiting", to: .devices(["c0", "new"]), app: added), at: noon)
        #expect(try await store.deleteRemovedApps() == [chime.topic])
        let pushes = try await claimAll(store).filter { $0.app.topic == chime.topic && $0.purpose == .show }
        #expect(Set(pushes.map(\.device)) == ["c0", "new"])
        #expect(try await store.device("c1") == nil)
        // Twice, one after the other.
        #expect(try await remove(store, added))
        try await store.deleteRemovedApps()
        #expect(try await store.apps.all().map(\.topic) == [ferry.topic])
        #expect(try await store.device("new") == nil)
    }
}
