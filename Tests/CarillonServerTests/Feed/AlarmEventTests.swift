import CarillonAPNs
import CarillonCore
import Foundation
import Logging
import Testing

@testable import CarillonServer

@Suite("The feed of an app tells alarms, each once, and their ends", .serialized)
struct AlarmEventTests {
    private struct Process {
        let clock = ManualClock(start: noon)
        let worker: DeliveryWorker

        init(_ store: Store, _ sender: RecordingSender, seed: UInt64) {
            let service = ServiceContext(
                configuration: ServiceConfiguration(apps: [], signInSecret: Data(count: 32)), store: store,
                clock: clock, random: .seeded(seed), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            worker = DeliveryWorker(service: service, store: service.publishing(store).sending, sender: sender)
        }
    }

    private static let alarms = FeedSelection(types: [.sendingStopped, .sendingResumed, .certificateExpiring])

    private func lines(_ store: Store, _ start: FeedPosition) async throws -> [String] {
        try await store.events(after: start, Self.alarms).map { event in
            [
                event.type.rawValue, event.details?.environment?.rawValue, event.details?.reason,
                event.details?.detail?.prefix(20).description,
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    @Test("a refused credential, also over the end of the process that met it", arguments: StoreEngine.allCases)
    func refused(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        try await store.enrol([device("a"), device("b", app: ferry)], at: noon)
        let start = try await store.openFeed()
        let sender = RecordingSender { push, _ in
            push.app.topic == topic
                ? .rejected(APNsRejection(.invalidProviderToken, 403)) : .accepted(apnsID: push.apnsID)
        }
        let first = Process(store, sender, seed: 1)
        for app in [chime, ferry] {
            _ = try await store.accept(try message("m", to: .everyone, counts: false, app: app), at: noon)
        }
        await first.worker.sendAll()
        let stopped = "sending.stopped sandbox InvalidProviderToken APNs refuses this ap"
        #expect(try await lines(store, start) == [stopped])
        // A probe of the next process meets it too, which is no news.
        let second = Process(store, sender, seed: 2)
        second.clock.advance(by: .seconds(3600))
        await second.worker.sendAll()
        #expect(try await lines(store, start) == [stopped])
        sender.answer { push, _ in .accepted(apnsID: push.apnsID) }
        let third = Process(store, sender, seed: 3)
        third.clock.advance(by: .seconds(7200))
        await third.worker.sendAll()
        #expect(try await lines(store, start) == [stopped, "sending.resumed sandbox"])
        await third.worker.sendAll()
        #expect(try await lines(store, start).count == 2)
    }

    @Test("an alarm whose process has ended is over when another sends; what expires meanwhile does not end it")
    func otherProcess() async throws {
        let store = try await StoreEngine.sqlite.make()
        try await store.enrol([device("a")], at: noon)
        let start = try await store.openFeed()
        let sender = RecordingSender()
        let working = Process(store, sender, seed: 1)
        await working.worker.sendAll()
        let failing = RecordingSender { _, _ in .rejected(APNsRejection(.invalidProviderToken, 403)) }
        let broken = Process(store, failing, seed: 2)
        let end = noon + .seconds(60)
        _ = try await store.accept(try message("m", to: .everyone, until: end, counts: false), at: noon)
        await broken.worker.sendAll()
        broken.clock.advance(by: .seconds(3600))
        await broken.worker.sendAll()
        let stopped = "sending.stopped sandbox InvalidProviderToken APNs refuses this ap"
        #expect(try await lines(store, start) == [stopped], "nothing waits any more, and nothing was sent")
        _ = try await store.accept(try message("n", to: .everyone, counts: false), at: noon)
        working.clock.advance(by: .seconds(3600))
        await working.worker.sendAll()
        #expect(try await lines(store, start) == [stopped, "sending.resumed sandbox"])
    }

    @Test("one process that can send and one that cannot do not end and raise an alarm in turn")
    func inTurn() async throws {
        let store = try await StoreEngine.sqlite.make()
        let start = try await store.openFeed()
        let (broken, working) = (try await store.sender("broken"), try await store.sender("working"))
        let app = AppID(topic: topic, environment: .sandbox)
        let alarm = SendingGates.Alarm(app: app, trouble: .silence, since: noon)
        let (raised, over) = (
            UnwrittenAlarms.Change(raised: [alarm], over: []), UnwrittenAlarms.Change(raised: [], over: [app])
        )
        for _ in 0..<2 {
            try await store.sending.keep(raised, of: broken, at: noon)
            #expect(try await store.sending.alarms(of: working).isEmpty)
            #expect(try await store.sending.alarms(of: broken) == [app])
            try await store.sending.keep(over, of: working, at: noon)
        }
        #expect(try await lines(store, start).map { $0.prefix(15) } == ["sending.stopped"])
        _ = try await store.release(broken, ifStillAt: nil, limit: 10, at: noon)
        #expect(try await store.sending.alarms(of: working) == [app])
        try await store.sending.keep(over, of: working, at: noon)
        #expect(try await lines(store, start).last == "sending.resumed sandbox")
    }

    @Test("a certificate that ends soon, and the next one", arguments: StoreEngine.allCases)
    func certificate(_ engine: StoreEngine) async throws {
        let store = try await engine.make()
        let key = CredentialReference.certificate(path: "/chime.p12")
        _ = try await store.put(AppSettings(topic: topic, credentials: [.production: key]), at: noon)
        let start = try await store.openFeed()
        func tell(_ end: Timestamp, _ environment: APNsEnvironment = .production) async throws {
            let app = AppID(topic: topic, environment: environment)
            try await store.apps.tell([EndingCredential(app: app, end: end, advice: "renew it")], at: noon)
        }
        for _ in 0..<2 { try await tell(noon + .seconds(60)) }
        try await tell(noon + .seconds(60), .sandbox)
        #expect(try await lines(store, start) == ["certificate.expiring production renew it"])
        try await tell(noon + .seconds(600))
        #expect(try await lines(store, start).count == 2)
    }

    @Test("what is decided: one change at a time, and again when it was not written")
    func book() throws {
        let app = AppID(topic: topic, environment: .sandbox)
        let refused = SendOutcome.rejected(APNsRejection(.invalidProviderToken, 403))
        var (book, gates) = (UnwrittenAlarms(), SendingGates())
        func next() -> UnwrittenAlarms.Change? { book.next(gates) }
        #expect(next() == nil)
        _ = gates.received(refused, of: app, at: noon, uptime: .zero)
        let raised = try #require(next())
        #expect(raised.raised.map(\.app) == [app] && raised.over.isEmpty)
        #expect(next() == nil, "it is being written")
        book.ended(raised, isWritten: false)
        #expect(next() == raised)
        book.ended(raised, isWritten: true)
        #expect(next() == nil)
        _ = gates.received(.accepted(apnsID: noID), of: app, at: noon, uptime: .zero)
        let over = try #require(next())
        #expect(over.over == [app] && over.raised.isEmpty)
        book.ended(over, isWritten: true)
        #expect(next() == nil)
        // What an earlier sender has left is over with the first push that APNs takes.
        book.known([app])
        gates.remember([app])
        #expect(next() == nil)
        _ = gates.received(.unconnected("down"), of: app, at: noon, uptime: .zero)
        #expect(next() == nil)
        _ = gates.received(.accepted(apnsID: noID), of: app, at: noon, uptime: .zero)
        #expect(next()?.over == [app])
    }
}
