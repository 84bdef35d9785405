import CarillonCore
import CarillonServer
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import carillon

@Suite("The end of a program that still waits for something")
struct EndWatchTests {
    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A service that says when it runs.
    private struct Started: Service {
        let says: AsyncStream<Void>.Continuation

        func run() async throws {
            says.yield()
            try await gracefulShutdown()
        }
    }

    @Test("comes at its time after the signal, and not before")
    func ends() async throws {
        let start = Timestamp(secondsSince1970: 1_800_000_000)
        let clock = ManualClock(start: start)
        let endCount = Mutex(0)
        let watch = EndWatch(clock: clock, logger: Self.quiet) { endCount.withLock { $0 += 1 } }
        let (started, says) = AsyncStream.makeStream(of: Void.self)
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: watch), .init(service: Started(says: says))], gracefulShutdownSignals: [],
                logger: Self.quiet))
        let run = Task { try await group.run() }
        _ = await started.first { true }
        #expect(clock.nextDeadline == nil)
        await group.triggerGracefulShutdown()
        try await run.value
        clock.advance(by: CarillonService.longestEnd - .milliseconds(1))
        #expect(endCount.withLock { $0 } == 0)
        clock.advance(by: .milliseconds(1))
        #expect(endCount.withLock { $0 } == 1)
    }
}
