import CarillonCore
import CarillonServer
import Synchronization

/// Which of the page's phones is which: by id, by device token, by the installation that the service knows.
final class PhoneDirectory: Sendable {
    struct Entry: Sendable {
        let id: String
        let name: String
        let token: DeviceToken
    }

    let entries: [Entry]
    /// Phone by installation.
    private let installations = Mutex<[String: String]>([:])

    init(_ entries: [Entry]) { self.entries = entries }

    var ids: [String] { entries.map(\.id) }

    func name(of phone: String) -> String { entries.first { $0.id == phone }?.name ?? phone }
    func token(of phone: String) -> DeviceToken? { entries.first { $0.id == phone }?.token }
    func phone(of installation: String) -> String? { installations.withLock { $0[installation] } }

    /// Finds out whose installation that is, by the token it has registered.
    func recognise(_ installation: String, in store: any Store) async {
        guard phone(of: installation) == nil, let record = try? await store.device(installation),
            let entry = entries.first(where: { $0.token == record.token })
        else { return }
        installations.withLock { $0[installation] = entry.id }
    }
}
