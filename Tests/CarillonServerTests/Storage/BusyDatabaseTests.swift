import CarillonCore
import Dispatch
import Foundation
import GRDB
import Logging
import ServiceLifecycle
import Testing

@testable import CarillonServer

@Suite("A service waits for a database that another process holds")
struct BusyDatabaseTests {
    /// A connection that holds the database until it is told to let go.
    private func held(_ path: String) async throws -> DatabaseQueue {
        let other = try DatabaseQueue.other(path)
        try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        return other
    }

    private func letGo(_ other: DatabaseQueue) {
        do { try other.writeWithoutTransaction { try $0.rollback() } } catch { Issue.record(error) }
    }

    @Test("while it opens the file")
    func opening() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let other = try await held(path)
        var reasons = 0
        let engine = try SQLiteEngine.opened(path: path, patience: 0.01) { _ in
            if reasons == 0 { letGo(other) }
            reasons += 1
        }
        #expect(reasons == 1)
        #expect(try await Store(engine).apps.all().isEmpty)
    }

    @Test("while it writes down its apps")
    func starting() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let store = Store(try SQLiteEngine(path: path, patience: 0.01))
        let other = try await held(path)
        let (warnings, warn) = AsyncStream.makeStream(of: Void.self)
        let logger = Logger(label: "test") { _ in WarningHandler { warn.yield() } }
        let service = try CarillonService(
            configuration: ServiceConfiguration(
                apps: [AppSettings(topic: topic)], signInSecret: RunningService.signInSecret, roles: [.api], port: 0),
            store: store, sender: nil, clock: SystemClock(), random: .seeded(1),
            logger: logger)
        let group = ServiceGroup(configuration: .init(services: [service], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in warnings { break }
            letGo(other)
            _ = try await service.boundPort()
            #expect(try await store.apps.all().map(\.topic) == [topic])
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    @Test("each connection for its own time, however often another begins to wait")
    func patience() {
        guard case .callback(let isPatient) = SQLiteFile.patience(0.5) else {
            Issue.record("the mode of waiting is another")
            return
        }
        var tries = 0
        while isPatient(tries), tries < 1000 {
            tries += 1
            let begun = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = isPatient(0)
                begun.signal()
            }
            begun.wait()
        }
        #expect(tries < 1000)
    }

    @Test("for as long as errors come that may pass, and no longer")
    func passing() async throws {
        let (clock, warnings) = (ManualClock(start: noon), SharedValue(0))
        let wait = DatabaseWait(
            clock: clock,
            logger: Logger(label: "test") { _ in WarningHandler { warnings.withLock { $0 += 1 } } })
        let isOver = SharedValue(false)
        let answer = Task {
            defer { isOver.withLock { $0 = true } }
            var errors = [ServiceError.databaseIsBusy, .diskIsFull, ServiceError(.unknownOutcome, "cut")]
            return try await wait.answer {
                guard errors.isEmpty else { throw errors.removeFirst() }
                return 7
            }
        }
        while !isOver.withLock(\.self) {
            clock.advance(by: DeliveryLimits.storeFailureWait)
            await Task.yield()
        }
        #expect(try await answer.value == 7 && warnings.withLock(\.self) == 1)
        await #expect(throws: ServiceError.self) { try await wait.answer { throw ServiceError(.removed, "gone") } }
    }

    @Test("a call that fails at once is repeated after a wait, and an hour of it is sixty lines in the log")
    func calm() async throws {
        let (clock, warnings, calls) = (ManualClock(start: noon), SharedValue(0), SharedValue(0))
        let wait = DatabaseWait(
            clock: clock,
            logger: Logger(label: "test") { _ in WarningHandler { warnings.withLock { $0 += 1 } } })
        let seconds = 3600
        let answer = Task {
            try await wait.answer {
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // Ends a loop without waits.
                guard count <= seconds else { return count }
                throw ServiceError.databaseIsBusy
            }
        }
        for second in 0..<seconds {
            while clock.scheduledCount == 0, calls.withLock(\.self) <= seconds { await Task.yield() }
            guard calls.withLock({ $0 }) == second + 1 else { break }
            clock.advance(by: DeliveryLimits.storeFailureWait)
        }
        #expect(try await answer.value == seconds + 1)
        #expect(clock.uptime == .seconds(seconds))
        #expect(warnings.withLock(\.self) == 60)
    }
}

/// Tells of warnings.
private struct WarningHandler: LogHandler {
    let warned: @Sendable () -> Void
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    init(_ warned: @escaping @Sendable () -> Void) { self.warned = warned }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { warned() }
}
