import CarillonCore
import CarillonServer
import Synchronization

/// Finds one of the page's phones by its id, its device token, or its installation id at the service.
final class PhoneDirectory: Sendable {
    struct Entry: Sendable {
        let id: String
        let name: String
        let token: DeviceToken
    }

    let entries: [Entry]
    /// Phone ids by installation id.
    private let installations = Mutex<[String: String]>([:])

    init(_ entries: [Entry]) { self.entries = entries }

    var ids: [String] { entries.map(\.id) }

    func name(of phone: String) -> String { entries.first { $0.id == phone }?.name ?? phone }
    func token(of phone: String) -> DeviceToken? { entries.first { $0.id == phone }?.token }
    func phone(with token: DeviceToken) -> String? { entries.first { $0.token == token }?.id }
    func phone(of installation: String) -> String? { installations.withLock { $0[installation] } }

    /// Finds the phone of an installation by the token that the installation has registered.
    func recognise(_ installation: String, in store: any Store) async {
        guard phone(of: installation) == nil, let record = try? await store.device(installation),
            let entry = entries.first(where: { $0.token == record.token ?? record.claimedToken })
        else { return }
        installations.withLock { $0[installation] = entry.id }
    }
}
