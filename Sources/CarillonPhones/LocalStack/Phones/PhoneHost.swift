import ServiceLifecycle
import Synchronization

/// Runs the phones of `carillon up` as one member of its `ServiceGroup`.
///
/// There are no phones until the push service listens, because Chime needs the push service's address.
final class PhoneHost: Service {
    private let phones = Mutex<[PagePhone]>([])
    private let makePhones: @Sendable () async throws -> [PagePhone]
    private let startedCount = Mutex(0)
    private let (ready, readiness) = AsyncStream.makeStream(of: Void.self)

    /// Makes a host without phones.
    ///
    /// - Parameter makePhones: waits until the push service listens, and creates the phones. It throws if the push service does
    ///   not start.
    init(makePhones: @escaping @Sendable () async throws -> [PagePhone]) { self.makePhones = makePhones }

    func phone(_ id: String) -> PagePhone? { phones.withLock { $0.first { $0.id == id } } }

    /// Waits until all phones are switched on, or until the process is asked to end.
    func waitUntilOn() async {
        await cancelWhenGracefulShutdown { [ready] in
            for await _ in ready {}
        }
    }

    private func started(of count: Int) {
        let isLast = startedCount.withLock { started in
            started += 1
            return started == count
        }
        if isLast { readiness.finish() }
    }

    /// Switches the phones on, waits until the process is asked to end, and then switches the phones off.
    func run() async throws {
        // Ignores the error: if the service cannot listen, the service itself reports the reason and ends the process.
        let made = (try? await makePhones()) ?? []
        phones.withLock { $0 = made }
        try await withThrowingTaskGroup { group in
            for phone in made { group.addTask { await phone.run { self.started(of: made.count) } } }
            group.addTask { try await gracefulShutdown() }
            try await group.next()
            group.cancelAll()
        }
    }
}
