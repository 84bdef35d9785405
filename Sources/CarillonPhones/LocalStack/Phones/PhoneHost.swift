import ServiceLifecycle
import Synchronization

/// Runs the phones; empty until the service listens, since Chime needs its address.
final class PhoneHost: Service {
    private let phones = Mutex<[PagePhone]>([])
    private let makePhones: @Sendable () async throws -> [PagePhone]

    /// - Parameter makePhones: waits until it can create the phones; throws when the service does not start.
    init(makePhones: @escaping @Sendable () async throws -> [PagePhone]) { self.makePhones = makePhones }

    func phone(_ id: String) -> PagePhone? { phones.withLock { $0.first { $0.id == id } } }

    /// Switches the phones on, and off again when the process is asked to end.
    func run() async throws {
        // A service that cannot listen ends the group and reports the reason itself.
        let made = (try? await makePhones()) ?? []
        phones.withLock { $0 = made }
        try await withThrowingTaskGroup { group in
            for phone in made { group.addTask { await phone.run() } }
            group.addTask { try await gracefulShutdown() }
            try await group.next()
            group.cancelAll()
        }
    }
}
