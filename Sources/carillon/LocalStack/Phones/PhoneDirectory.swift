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
        /// Of the app on it, at the start.
        let topic: String
    }

    private struct Holder {
        var token: DeviceToken?
        var topic: String
    }

    let entries: [Entry]
    /// By phone id: an erased phone gets another token, and another app has one of its own.
    private let holders: Mutex<[String: Holder]>
    /// Phone ids by installation id.
    private let installations = Mutex<[String: String]>([:])

    init(_ entries: [Entry]) {
        self.entries = entries
        holders = Mutex(
            Dictionary(uniqueKeysWithValues: entries.map { ($0.id, Holder(token: $0.token, topic: $0.topic)) }))
    }

    var ids: [String] { entries.map(\.id) }

    func name(of phone: String) -> String { entries.first { $0.id == phone }?.name ?? phone }
    func token(of phone: String) -> DeviceToken? { holders.withLock { $0[phone]?.token } }
    /// The topic of the app on a phone.
    func topic(of phone: String) -> String? { holders.withLock { $0[phone]?.topic } }
    func phone(with token: DeviceToken) -> String? { holders.withLock { $0.first { $0.value.token == token }?.key } }

    /// The app on a phone has a token.
    ///
    /// - Returns: whether it is another one than before.
    func note(_ token: DeviceToken, for topic: String, of phone: String) -> Bool {
        holders.withLock { $0.updateValue(Holder(token: token, topic: topic), forKey: phone) }?.token != token
    }

    /// The app on a phone has gone, and with it its token.
    func forgetToken(of phone: String) { holders.withLock { $0[phone]?.token = nil } }

    func phone(of installation: String) -> String? { installations.withLock { $0[installation] } }

    /// Finds the phone of an installation by the token that the installation has registered.
    func recognise(_ installation: String, in store: any Store) async {
        guard phone(of: installation) == nil, let record = try? await store.device(installation),
            let phone = (record.token ?? record.claimedToken).flatMap(phone(with:))
        else { return }
        installations.withLock { $0[installation] = phone }
    }
}
