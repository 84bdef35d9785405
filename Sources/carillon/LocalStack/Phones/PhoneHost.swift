import ServiceLifecycle
import Synchronization

/// Where the phones lie: empty until the service listens, since Chime must know where.
final class PhoneHost: Service {
    private let phones = Mutex<[PagePhone]>([])
    private let makePhones: @Sendable () async throws -> [PagePhone]

    /// - Parameter makePhones: waits until it can make them; throws when there is nothing to wait for any more.
    init(makePhones: @escaping @Sendable () async throws -> [PagePhone]) { self.makePhones = makePhones }

    func phone(_ id: String) -> PagePhone? { phones.withLock { $0.first { $0.id == id } } }

    /// Switches the phones on, and off again when the process is asked to end.
    func run() async throws {
        // A service that cannot listen ends the group, and says why itself.
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
