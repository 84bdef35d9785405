import CarillonCore
import CarillonServer
import Synchronization

/// Finds one of the page's phones by its id, its device token, or its installation id at the service.
final class PhoneDirectory: Sendable {
    struct Entry: Sendable {
        let id: String
        let name: String
        /// At the start; ``token(of:)`` has the one that the app has now.
        let token: DeviceToken
    }

    let entries: [Entry]
    /// Tokens by phone id: an erased phone gets another one.
    private let tokens: Mutex<[String: DeviceToken]>
    /// Phone ids by installation id.
    private let installations = Mutex<[String: String]>([:])

    init(_ entries: [Entry]) {
        self.entries = entries
        tokens = Mutex(Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.token) }))
    }

    var ids: [String] { entries.map(\.id) }

    func name(of phone: String) -> String { entries.first { $0.id == phone }?.name ?? phone }
    func token(of phone: String) -> DeviceToken? { tokens.withLock { $0[phone] } }
    func phone(with token: DeviceToken) -> String? { tokens.withLock { $0.first { $0.value == token }?.key } }

    /// The app on a phone has a token.
    ///
    /// - Returns: whether it is another one than before.
    func note(_ token: DeviceToken, of phone: String) -> Bool {
        tokens.withLock { $0.updateValue(token, forKey: phone) } != token
    }

    func phone(of installation: String) -> String? { installations.withLock { $0[installation] } }

    /// Finds the phone of an installation by the token that the installation has registered.
    func recognise(_ installation: String, in store: any Store) async {
        guard phone(of: installation) == nil, let record = try? await store.device(installation),
            let phone = (record.token ?? record.claimedToken).flatMap(phone(with:))
        else { return }
        installations.withLock { $0[installation] = phone }
    }
}
