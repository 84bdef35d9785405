import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A message that is sent by ranges", .serialized)
struct StoreRangeTests {
    private static let rules = RangeRules(devices: 3, chunkDevices: 4)

    /// A store whose app has confirmed devices `d00`, `d01` and so on.
    private func store(_ engine: StoreEngine, devices: Int = 10) async throws -> Store {
        let store = try await engine.make(ranges: Self.rules)
        for number in 0..<devices {
            try await store.enrol(device(Self.name(number), user: "u\(number)", tags: ["t\(number)"]), at: noon)
        }
        return store
    }

    private static func name(_ number: Int) -> String { number < 10 ? "d0\(number)" : "d\(number)" }

    private func broadcast(
        _ id: String = "m", where condition: String? = nil, until: Timestamp? = nil, removes: Bool = false,
        text: String = "Hello"
    ) throws -> NewMessage {
        let audience: Audience = try condition.map { .matching(try AudienceParser.parse($0)) } ?? .everyone
        var new = try message(id, to: audience, until: until, text: text, counts: false)
        new.removesExpired = removes
        return new
    }

    private func claimAll(_ store: Store, worker: String = "w", at now: Timestamp = noon) async throws
        -> [ClaimedDelivery]
    {
        var found: [ClaimedDelivery] = []
        while true {
            let claim = try await store.claim(everything(worker: worker), at: now)
            found += claim.deliveries
            if claim.examined == 0 { return found }
        }
    }

    private func counts(_ store: Store, _ id: String = "m", at now: Timestamp = noon) async throws
        -> NotificationReport.Counts
    {
        try #require(try await store.report(MessageID(test: id), at: now)).counts
    }

    private func steer(_ store: Store, _ change: SendingChange) async throws {
        _ = try await store.steer(MessageReference(MessageID(test: "m"), of: chime.number), change, at: noon)
    }

    @Test("is accepted before anybody is decided on, and goes to each device once", arguments: StoreEngine.allCases)
    func toEveryone(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let accepted = try await store.accept(try broadcast(), at: noon)
        #expect(accepted == .accepted(SendAnswer(id: MessageID(test: "m"), state: .accepted, devices: nil)))
        var report = try #require(try await store.report(MessageID(test: "m"), at: noon))
        #expect(report.state == .accepted && report.counts.devices == 0 && report.progress?.total == 0)
        let pushes = try await claimAll(store)
        #expect(pushes.map(\.device).sorted() == (0..<10).map(Self.name))
        report = try #require(try await store.report(MessageID(test: "m"), at: noon))
        #expect(report.counts.devices == 10 && report.counts.queued == 10)
        #expect(report.progress?.decided == 10 && report.progress?.total == 10)
        try await store.settle(pushes.map { $0.settled() }, at: noon + .seconds(2))
        report = try #require(try await store.report(MessageID(test: "m"), at: noon + .seconds(2)))
        #expect(report.state == .sent && report.counts.accepted == 10 && report.counts.secondSends == 0)
        #expect(try await claimAll(store).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        let first = try #require(
            try await store.timeline(MessageID(test: "m"), after: nil, limit: 4, at: noon + .seconds(3)))
        #expect(first.devices.map(\.device) == ["d00", "d01", "d02", "d03"])
        let timeline = try #require(
            try await store.timeline(MessageID(test: "m"), after: first.next, limit: 2, at: noon + .seconds(3)))
        #expect(timeline.devices.map(\.device) == ["d04", "d05"])
        #expect(timeline.devices[0].events.map(\.event) == [.queued, .sent, .accepted])
        let last = try await store.timeline(
            MessageID(test: "m"), after: timeline.next, limit: 4, at: noon + .seconds(3))
        #expect(last?.devices.map(\.device) == ["d06", "d07", "d08", "d09"] && last?.next == nil)
        let repeated = try await store.accept(try broadcast(), at: noon)
        #expect(repeated == .repeated(SendAnswer(id: MessageID(test: "m"), state: .accepted, devices: nil)))
    }

    @Test("says how fast it goes, and when it will have gone to all", arguments: StoreEngine.allCases)
    func progress(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 12)
        _ = try await store.accept(try broadcast(), at: noon)
        func progress(at now: Timestamp) async throws -> NotificationReport.Progress? {
            try await store.report(MessageID(test: "m"), at: now)?.progress
        }
        for seconds in 0..<3 {
            let now = noon + .seconds(seconds)
            #expect(try await progress(at: now)?.perSecond == (seconds < 2 ? nil : 4))
            let pushes = try await store.claim(everything(limit: 2), at: now).deliveries
            try await store.settle(pushes.map { $0.settled() }, at: now)
        }
        // Six in two seconds; six are left, four of them not decided on.
        var found = try #require(try await progress(at: noon + .seconds(2)))
        #expect(found.decided == 8 && found.total == 12)
        #expect(found.perSecond == 3 && found.finishesAt == noon + .seconds(4))
        let rest = try await claimAll(store, at: noon + .seconds(3))
        try await store.settle(rest.map { $0.settled() }, at: noon + .seconds(3))
        found = try #require(try await progress(at: noon + .seconds(9)))
        #expect(found.perSecond == 4 && found.finishesAt == nil)
    }

    @Test("leaves nothing where its condition holds on nobody of a chunk", arguments: StoreEngine.allCases)
    func sparse(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 20)
        let condition = "tag:t1 or tag:t2 or tag:t17 or tag:t18"
        _ = try await store.accept(try broadcast(where: condition), at: noon)
        #expect(try await claimAll(store).map(\.device) == ["d01", "d02", "d17", "d18"])
        #expect(try await counts(store).devices == 4)
        let database = store
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM chunks") } == 2)
        #expect(try await database.read { try $0.integer("SELECT count(*) FROM deliveries") } == 0)
    }

    @Test("is for who was there when sending began, and as it was then", arguments: StoreEngine.allCases)
    func highWaterMark(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 8)
        _ = try await store.accept(try broadcast(where: "tag:t0 or tag:t1 or tag:t6 or tag:t7"), at: noon)
        let first = try await store.claim(everything(limit: 1), at: noon)
        #expect(first.deliveries.map(\.device) == ["d00"])
        // One of a chunk that is decided on, and one of another.
        for (id, tags) in [("d01", "[]"), ("d06", "[]"), ("d05", #"["t6"]"#)] {
            let update = DeviceUpdate(
                facts: ["tags": try JSONValue(parsing: Data(tags.utf8))], nonce: "nonce")
            _ = try await store.change(id, update, at: noon)
        }
        // It is confirmed from the first, and comes before the rest is decided on.
        let late = ImportedDevice(
            app: chime, environment: .sandbox, token: testToken("1a7e"),
            facts: DeviceFacts(permission: .authorized, tags: ["t0"]), id: "late")
        #expect(try await store.importDevices([late], at: noon) == [.added])
        #expect(try await claimAll(store).map(\.device).sorted() == ["d01", "d05", "d07"])
    }

    @Test(
        "what came of a push other than that APNs took it has rows, and goes on by them",
        arguments: StoreEngine.allCases)
    func rejections(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try broadcast(), at: noon)
        let pushes = try await claimAll(store)
        let outcomes: [SendOutcome] = [
            rejected("PayloadTooLarge", 413), rejected("TooManyRequests", 429), .unanswered("late"),
            rejected("Unregistered", 410, since: noon + .seconds(9)),
            .accepted(apnsID: PushIdentifier.uuid(name: "", namespace: [])),
        ]
        try await store.settle(zip(pushes, outcomes).map { $0.settled($1) }, at: noon)
        var counts = try await counts(store)
        #expect(counts.rejected == 2 && counts.queued == 2 && counts.accepted == 1 && counts.devices == 5)
        let again = try await claimAll(store, at: noon + .seconds(60))
        #expect(again.map { "\($0.device) \($0.attempt)" }.sorted() == ["d01 1", "d02 2"])
        try await store.settle(again.map { $0.settled(at: noon + .seconds(60)) }, at: noon + .seconds(60))
        counts = try await self.counts(store)
        #expect(counts.accepted == 3 && counts.queued == 0 && counts.secondSends == 1)
        #expect(try await store.kinds("m", on: "d01") == [.queued, .sent, .rejected, .sent, .accepted])
        #expect(try await store.device("d03")?.state == .unregistered)
    }

    @Test(
        "a sender that is gone has sent at most what it had in flight twice, and that is told",
        arguments: StoreEngine.allCases)
    func lapse(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try broadcast(), at: noon)
        let first = try await store.claim(everything(limit: 7), at: noon)
        try await store.settle(first.deliveries.prefix(2).map { $0.settled() }, at: noon)
        #expect(
            try await store.claim(everything(worker: "other"), at: noon).deliveries.map(\.device) == ["d08", "d09"])
        let gone = try await store.sender("w")
        let (release, changes) = try await store.hearing {
            try await $0.release(gone, ifStillAt: nil, limit: 3, at: noon)
        }
        #expect(release.count == 3 && !release.isDone)
        #expect(changes.timeline.map(\.event) == [.unanswered, .unanswered, .unanswered])
        let rest = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 3, at: noon)
        #expect(rest.count == 2 && rest.isDone)
        let again = try await claimAll(store, worker: "other")
        #expect(
            again.map { "\($0.device) \($0.attempt)" }.sorted() == [
                "d02 2", "d03 2", "d04 2", "d05 2", "d06 2", "d07 1",
            ])
        // The one that was taken for gone knows more: what it says is a fact.
        try await store.settle([first.deliveries[2].settled()], at: noon)
        try await store.settle(again.map { $0.settled() }, at: noon)
        let counts = try await counts(store)
        #expect(counts.secondSends == 5 && counts.accepted == 8 && counts.queued == 2)
    }

    @Test(
        "a recall evaluates nobody further, and asks those reached to remove it, once", arguments: StoreEngine.allCases)
    func recall(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 12)
        _ = try await store.accept(try broadcast(), at: noon)
        // Two are reached, one is in flight, one waits; the other chunks are not decided on.
        let first = try await store.claim(everything(limit: 3), at: noon)
        try await store.settle(first.deliveries.prefix(2).map { $0.settled() }, at: noon)
        _ = try await store.recall(MessageID(test: "m"), at: noon)
        var answer = try #require(try await store.recallAnswer(MessageID(test: "m"), limit: 100))
        #expect(answer.recall == ["pending until launch": 3, "never sent": 1])
        #expect(answer.devices.map(\.device) == ["d00", "d01", "d02", "d03"])
        let removals = try await claimAll(store)
        #expect(removals.map { "\($0.purpose) \($0.device)" } == ["removal d00", "removal d01"])
        #expect(removals.allSatisfy { $0.removals.map(\.message.rawValue) == ["m"] })
        #expect(try await store.sync("d00", limit: 9, at: noon)?.removals.map(\.reason) == [.recall])
        #expect(try await store.sync("d03", limit: 9, at: noon)?.removals == [])
        // The one in flight arrives: now it is told too.
        try await store.settle([first.deliveries[2].settled()], at: noon)
        #expect(try await claimAll(store).map(\.device) == ["d02"])
        _ = try await store.record([receipt(.recalled, "m")], from: "d00", at: noon)
        answer = try #require(try await store.recallAnswer(MessageID(test: "m"), limit: 100))
        #expect(answer.recall == ["confirmed": 1, "pending until launch": 2, "never sent": 1])
        #expect(try await store.sync("d00", limit: 9, at: noon)?.removals == [])
        #expect(try await store.nextDue(except: []) == nil)
    }

    @Test("its end stops it, and removes it where that is asked for", arguments: StoreEngine.allCases)
    func end(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        let until = noon + .seconds(60)
        _ = try await store.accept(try broadcast(until: until, removes: true), at: noon)
        let first = try await store.claim(everything(limit: 4), at: noon)
        try await store.settle(first.deliveries.map { $0.settled() }, at: noon)
        _ = try await store.record([receipt(.dismissed, "m")], from: "d00", at: noon)
        #expect(
            try await claimAll(store, at: until).map { "\($0.purpose) \($0.device)" }
                == ["removal d01", "removal d02", "removal d03"])
        let report = try #require(try await store.report(MessageID(test: "m"), at: until))
        #expect(report.state == .expired && report.counts.devices == 4 && report.counts.queued == 0)
        #expect(report.recall == ["confirmed": 1, "pending until launch": 3])
    }

    @Test("a pause holds it, and a cancellation ends it", arguments: StoreEngine.allCases)
    func steering(_ engine: StoreEngine) async throws {
        let store = try await store(engine)
        _ = try await store.accept(try broadcast(), at: noon)
        _ = try await store.claim(everything(limit: 2), at: noon)
        try await steer(store, .pause)
        #expect(try await claimAll(store).isEmpty)
        #expect(try await store.nextDue(except: []) == nil)
        #expect(try await store.report(MessageID(test: "m"), at: noon)?.state == .paused)
        try await steer(store, .resume)
        #expect(
            try await store.claim(everything(limit: 3), at: noon).deliveries.map(\.device) == ["d02", "d03", "d04"])
        try await steer(store, .cancel)
        #expect(try await claimAll(store).isEmpty)
        let report = try #require(try await store.report(MessageID(test: "m"), at: noon))
        #expect(report.state == .cancelled && report.counts.queued == 5 && report.counts.cancelled == 3)
        #expect(report.counts.devices == 8)
    }

    @Test("a schedule begins it, and a channel that is closed keeps it", arguments: StoreEngine.allCases)
    func waiting(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        try await store.enrol(device("live", environment: .production), at: noon)
        var new = try broadcast()
        new.sendAt = noon + .seconds(60)
        guard case .accepted(let answer) = try await store.accept(new, at: noon) else {
            Issue.record("the message was not accepted")
            return
        }
        #expect(answer.state == .scheduled)
        #expect(try await claimAll(store).isEmpty)
        #expect(try await store.nextDue(except: []) == noon + .seconds(60))
        let sandbox = AppID(topic: topic, environment: .sandbox)
        var claim = everything()
        claim.except = [sandbox]
        var found: [String] = []
        for _ in 0..<4 { found += try await store.claim(claim, at: noon + .seconds(60)).deliveries.map(\.device) }
        #expect(found == ["live"])
        #expect(try await store.nextDue(except: [sandbox]) == nil)
        #expect(try await claimAll(store, at: noon + .seconds(60)).count == 5)
    }

    @Test("a receipt counts once, and what says more is kept whole", arguments: StoreEngine.allCases)
    func receipts(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try broadcast(), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        for id in ["r1", "r2"] {
            let outcome = try await store.record([receipt(.shown, "m", id: id)], from: "d00", at: noon)
            #expect(outcome.recorded.count == (id == "r1" ? 1 : 0))
        }
        var again = receipt(.shown, "m", id: "r3")
        again.detail = Receipt.shownAgain
        #expect(try await store.record([again], from: "d00", at: noon).recorded.count == 1)
        #expect(try await store.record([again], from: "d00", at: noon).recorded.isEmpty)
        _ = try await store.record([receipt(.opened, "m")], from: "d01", at: noon)
        let counts = try await counts(store)
        #expect(counts.shown == 1 && counts.opened == 1 && counts.secondAlerts == 1 && counts.accepted == 5)
        #expect(try await store.record([receipt(.shown, "m")], from: "nobody", at: noon).recorded.isEmpty)
    }

    @Test("what a user has read leaves the user's other devices", arguments: StoreEngine.allCases)
    func readOnce(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        try await store.enrol(device("second", user: "u0"), at: noon)
        _ = try await store.accept(try broadcast(), at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        _ = try await store.record([receipt(.opened, "m")], from: "d00", at: noon)
        let pushes = try await claimAll(store)
        #expect(pushes.map { "\($0.purpose) \($0.device)" } == ["removal second"])
        #expect(pushes.first?.removals.map(\.reason) == [.read])
        #expect(try await counts(store).accepted == 6)
    }

    @Test("a token that another installation takes over takes its place along", arguments: StoreEngine.allCases)
    func takenOver(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 6)
        _ = try await store.accept(try broadcast(), at: noon)
        let first = try await store.claim(everything(limit: 2), at: noon)
        try await store.settle([first.deliveries[0].settled(), first.deliveries[1].settled(.notSent(""))], at: noon)
        for (old, new) in [("d00", "n0"), ("d01", "n1"), ("d03", "n3")] {
            let token = Data(old.utf8).hexadecimal
            let before = try await store.device(old)?.ordinal
            _ = try await store.register(device(new, token: token), at: noon)
            _ = try await store.claimToken(for: new, nonce: "nonce", at: noon)
            #expect(try await store.device(new)?.ordinal == before)
        }
        let later = noon + .seconds(60)
        let rest = try await claimAll(store, at: later).filter { $0.purpose == .show }
        #expect(rest.map(\.device).sorted() == ["d02", "d04", "d05", "n1", "n3"])
        #expect(Set(rest.map(\.token)).count == 5)
        let shown = try await store.record([receipt(.shown, "m")], from: "n0", at: later)
        #expect(shown.recorded.count == 1)
    }

    @Test("who is gone, or is not where the chunk was cut, is dealt with alone", arguments: StoreEngine.allCases)
    func changedMeanwhile(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try broadcast(), at: noon)
        _ = try await store.claim(everything(limit: 1), at: noon)
        _ = try await store.delete("d01", at: noon)
        // The same token in another environment is another token, and nobody has confirmed it.
        _ = try await store.change("d02", DeviceUpdate(environment: .production, facts: [:], nonce: "n"), at: noon)
        let rest = try await claimAll(store).filter { $0.purpose == .show }
        #expect(
            rest.map { "\($0.device) \($0.app.environment)" }.sorted() == [
                "d02 production", "d03 sandbox", "d04 sandbox",
            ])
        let counts = try await counts(store)
        #expect(counts.devices == 5 && counts.queued == 4 && counts.cancelled == 1)
    }

    @Test(
        "an installation that is deleted while its push is in flight is told as unanswered",
        arguments: StoreEngine.allCases)
    func deletedInFlight(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 4)
        _ = try await store.accept(try broadcast(), at: noon)
        _ = try await claimAll(store)
        _ = try await store.delete("d01", at: noon)
        let release = try await store.release(try await store.sender("w"), ifStillAt: nil, limit: 100, at: noon)
        #expect(release.isDone)
        let counts = try await counts(store)
        #expect(counts.unanswered == 1 && counts.queued == 3)
    }

    @Test("what has rows keeps having them, however many devices the app has now", arguments: StoreEngine.allCases)
    func whatHasRows(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try message("few", to: .users(["u0"]), counts: false), at: noon)
        let wide = try message("few", to: .everyone, text: "Wide", counts: false, replaces: true)
        guard case .accepted(let answer) = try await store.accept(wide, at: noon) else {
            Issue.record("not accepted")
            return
        }
        #expect(answer.devices == 5)
    }

    @Test("is every one to everyone or by a condition, once the app has many devices", arguments: StoreEngine.allCases)
    func fromWhenOn(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 3)
        func devices(_ new: NewMessage) async throws -> Int? {
            guard case .accepted(let answer) = try await store.accept(new, at: noon) else { return -1 }
            return answer.devices
        }
        #expect(try await devices(try broadcast("all")) == 3)
        #expect(try await devices(try broadcast("one", where: "tag:t1")) == 1)
        _ = try await store.register(device("d03"), at: noon)
        #expect(try await devices(try broadcast("unconfirmed")) == 3, "who is not confirmed does not count")
        try await store.enrol(device("d03"), at: noon)
        #expect(try await devices(try broadcast("more")) == nil)
        #expect(try await devices(try broadcast("few", where: "tag:t1")) == nil)
        #expect(try await devices(try message("named", to: .devices(["d03"]), counts: false)) == 1)
        _ = try await claimAll(store)
        #expect(try await counts(store, "more").devices == 4)
        #expect(try await counts(store, "few").devices == 1)
    }

    @Test("what cannot be read is set aside, and holds up nobody", arguments: StoreEngine.allCases)
    func setAside(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try broadcast("bad"), at: noon)
        try await store.damagePayload(of: "bad")
        _ = try await store.accept(try broadcast(), at: noon)
        #expect(try await claimAll(store).count == 5)
        #expect(try await counts(store, "bad").setAside == 5)
        #expect(try await store.health().setAside == 2)
        #expect(try await store.setAside(limit: 9).allSatisfy { $0.message == "bad" && !$0.problem.isEmpty })
        #expect(try await store.retrySetAside(at: noon) == 2)
        #expect(try await store.health().setAside == 0)
    }

    @Test("goes when it is old and done, with all that was kept of it", arguments: StoreEngine.allCases)
    func purge(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        _ = try await store.accept(try broadcast(), at: noon)
        let later = noon + .seconds(60)
        #expect(try await store.purge(before: later, limit: 9) == 0)
        let pushes = try await claimAll(store)
        #expect(try await store.purge(before: later, limit: 9) == 0)
        try await store.settle(pushes.map { $0.settled() }, at: noon)
        #expect(try await store.purge(before: later, limit: 9) == 1)
        let database = store
        for table in ["chunks", "ranges", "messages"] {
            #expect(try await database.read { try $0.integer("SELECT count(*) FROM \(table)") } == 0)
        }
    }

    @Test(
        "erasing a user leaves nothing that names the user, and the broadcast to the others",
        arguments: StoreEngine.allCases)
    func erasure(_ engine: StoreEngine) async throws {
        let store = try await store(engine, devices: 5)
        var new = try broadcast()
        new.keepsReplies = true
        _ = try await store.accept(new, at: noon)
        try await store.settle(try await claimAll(store).map { $0.settled() }, at: noon)
        var reply = receipt(.acted, "m")
        reply.reply = "what I think"
        _ = try await store.record([reply], from: "d00", at: noon)
        let erasure = try await store.erase(UserReference("u0", of: chime.number), at: noon)
        #expect(erasure.remaining == 0 && erasure.messages == 0)
        let report = try #require(try await store.report(MessageID(test: "m"), at: noon))
        #expect(report.recalledAt == nil && report.replies == 0 && report.counts.accepted == 5)
    }
}
