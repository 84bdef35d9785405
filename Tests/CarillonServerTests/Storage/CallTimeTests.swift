import CarillonCore
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CarillonServer

/// A call that takes too long is ended, and others are served.
@Suite("A call has a time", .serialized)
struct CallTimeTests {
    /// A clock on which a second passes whenever it is looked at.
    private final class HastyClock: CarillonClock {
        private let looks = Mutex(0)
        let now = noon
        var uptime: Duration {
            looks.withLock { looks in
                looks += 1
                return .seconds(looks)
            }
        }
        func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            ScheduledAction {}
        }
    }

    /// A statement that counts to a number which no test waits for.
    private static let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000000000) SELECT count(*) AS count FROM n"

    private func engine(_ folder: TemporaryFolder, _ clock: any CarillonClock) throws -> SQLiteEngine {
        try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path, schema: .current, clock: clock)
    }

    @Test("a read that takes too long is ended, and later reads are not concerned")
    func read() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = Store(try engine(folder, HastyClock()))
        let error = await #expect(throws: ServiceError.self) { try await store.read { try $0.integer(Self.endless) } }
        #expect(error?.isOutOfTime == true && error?.code == .busy)
        #expect(try await store.read { try $0.integer("SELECT 7") } == 7)
    }

    @Test("a writing call that takes too long fails alone: those beside it are written once", arguments: [false, true])
    func write(_ changes: Bool) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = Store(try engine(folder, ManualClock(start: noon)))
        let slow: @Sendable (StoreSession) throws -> Void = { session in
            let connection = try #require(session.connection as? SQLiteSession)
            try connection.within(.seconds(3), of: HastyClock()) {
                if changes {
                    try session.execute("INSERT INTO senders (name) \(Self.endless)")
                } else {
                    try session.execute("INSERT INTO senders (name) VALUES ('slow')")
                    _ = try session.integer(Self.endless)
                }
            }
        }
        let gate = DispatchSemaphore(value: 0)
        let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
        async let first: Void = store.write(at: noon) { session in
            isEntered.finish()
            gate.wait()
            // It may run again.
            gate.signal()
            try session.execute("INSERT INTO senders (name) VALUES ('first')")
        }
        for await _ in entered {}
        async let second: Void = store.write(at: noon, slow)
        while store.transactions.engine.waitingWrites < 1 { await Task.yield() }
        async let third: Void = store.write(at: noon) { try $0.execute("INSERT INTO senders (name) VALUES ('third')") }
        while store.transactions.engine.waitingWrites < 2 { await Task.yield() }
        gate.signal()
        try await first
        try await third
        do {
            try await second
            Issue.record("the slow call was not ended")
        } catch let error as ServiceError {
            #expect(error.isOutOfTime)
        }
        let names = try await store.read {
            try $0.rows("SELECT name FROM senders ORDER BY name").map { $0.text("name") }
        }
        #expect(names == ["first", "third"])
    }

    @Test("a server ends a statement of a writing call and of a read", .timeLimit(.minutes(5)))
    func postgreSQL() async throws {
        let store = try await StoreEngine.postgresql.make()
        for (sql, isWriting) in [
            ("SELECT count(*) FROM pg_sleep(600)", true), ("SELECT count(*) FROM pg_sleep(600)", false),
        ] {
            let limit = "SET LOCAL statement_timeout = 50"
            let error = await #expect(throws: ServiceError.self) {
                if isWriting {
                    try await store.write(at: noon) { session in
                        try session.execute(limit)
                        _ = try session.rows(sql)
                    }
                } else {
                    try await store.read { session in
                        try session.execute(limit)
                        _ = try session.rows(sql)
                    }
                }
            }
            #expect(error?.isOutOfTime == true)
        }
        let timeouts = try await store.write(at: noon) { session in
            try session.row("SELECT current_setting('statement_timeout') AS time")?.text("time")
        }
        #expect(timeouts == "\(StoreLimits.longestCall.components.seconds)s")
        let reading = try await store.read { session in
            try session.row("SELECT current_setting('statement_timeout') AS time")?.text("time")
        }
        #expect(reading == "\(StoreLimits.longestRead.components.seconds)s")
    }

    @Test(
        "a step of work that takes too long is set aside, and the work of others goes on",
        arguments: StoreEngine.allCases)
    func setAside(_ engine: StoreEngine) async throws {
        let store = try await engine.make(ranges: RangeRules(devices: 3, chunkDevices: 4))
        for number in 0..<6 { try await store.enrol(device("d\(number)", user: "u"), at: noon) }
        _ = try await store.accept(try message("late", to: .everyone, counts: false), at: noon)
        _ = try await store.accept(try message("other", to: .users(["u"]), text: "Other"), at: noon)
        let number = try #require(
            try await store.read {
                try MessagesTable($0).number(of: MessageReference(MessageID(test: "late"), of: chime.number))
            })
        let step = LateStep(work: .plan(number))
        try await store.write(at: noon) { try step.setAside($0) }
        let claimed = try await store.claim(everything(), at: noon).deliveries
        #expect(Set(claimed.compactMap { $0.message?.id.rawValue }) == ["other"])
        #expect(try await store.health().setAside == 1)
        #expect(try await store.retrySetAside(at: noon) == 1)
        let retried = try await store.claim(everything(), at: noon).deliveries
        #expect(Set(retried.compactMap { $0.message?.id.rawValue }) == ["late"])
    }

    @Test("a process whose writer stands still is not ready, and says so while it lasts", .timeLimit(.minutes(5)))
    func readiness() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let clock = ManualClock(start: noon)
        let store = Store(try engine(folder, clock))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        try await RunningService.run(store: store, roles: [.api]) { service in
            let gate = DispatchSemaphore(value: 0)
            let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
            async let slow: Void = store.write(at: noon) { _ in
                isEntered.finish()
                gate.wait()
            }
            for await _ in entered {}
            clock.advance(by: ServiceLimits.writerPatience)
            #expect(try await service.call("GET", "/readyz", auth: "").status == 200)
            clock.advance(by: .seconds(1))
            let waiting = try await service.call("GET", "/readyz", auth: "")
            #expect(waiting.status == 503 && waiting.json["status"] == "waiting")
            #expect(waiting.json["reason"]?.stringValue?.hasPrefix("nothing has been written") == true)
            let health = try await service.call("GET", "/healthz", auth: "")
            #expect(health.status == 503 && health.json["status"] == "down")
            gate.signal()
            try await slow
            while try await service.call("GET", "/readyz", auth: "").status != 200 { await Task.yield() }
        }
    }
}
