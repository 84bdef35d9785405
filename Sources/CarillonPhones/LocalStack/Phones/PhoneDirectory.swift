import CarillonCore
import CarillonServer
import Synchronization

/// The device tokens of the app on a phone.
struct PhoneTokens: Sendable, Equatable {
    var app: DeviceToken?
    /// The token from the app's PushKit registry, for calls; `nil` if there is none.
    var calls: DeviceToken?
    /// The token with which a push starts a Live Activity; `nil` if there is none.
    var start: DeviceToken?
    /// The token of the newest Live Activity, also after its end; `nil` if there is none.
    var activity: DeviceToken?

    var all: [DeviceToken] { [app, calls, start, activity].compactMap(\.self) }
}

/// A directory of the page's phones, which finds a phone by its id, its device token, or its installation id at the service.
final class PhoneDirectory: Sendable {
    struct Entry: Sendable {
        let id: String
        let name: String
        /// The token that the phone's app has when `carillon up` starts.
        ///
        /// ``tokens(of:)`` returns the current token.
        let token: DeviceToken
        /// The topic of the app that the phone has when `carillon up` starts.
        let topic: String
    }

    private struct Holder {
        var tokens: PhoneTokens
        var topic: String
    }

    let entries: [Entry]
    /// The current tokens and topic by phone id.
    ///
    /// The values change when a phone is erased or gets another app.
    private let holders: Mutex<[String: Holder]>
    /// The phone ids by installation id.
    private let installations = Mutex<[String: String]>([:])

    init(_ entries: [Entry]) {
        self.entries = entries
        holders = Mutex(
            Dictionary(
                uniqueKeysWithValues: entries.map {
                    ($0.id, Holder(tokens: PhoneTokens(app: $0.token), topic: $0.topic))
                }))
    }

    var ids: [String] { entries.map(\.id) }

    func name(of phone: String) -> String { entries.first { $0.id == phone }?.name ?? phone }
    func tokens(of phone: String) -> PhoneTokens { holders.withLock { $0[phone]?.tokens } ?? PhoneTokens() }
    /// Returns the topic of the app on a phone; `nil` if no phone has this id.
    func topic(of phone: String) -> String? { holders.withLock { $0[phone]?.topic } }
    func phone(with token: DeviceToken) -> String? {
        holders.withLock { $0.first { $0.value.tokens.all.contains(token) }?.key }
    }

    /// Records the tokens and the topic of the app on a phone.
    ///
    /// A token that is `nil` in `tokens` keeps its previous value.
    ///
    /// - Returns: whether any token changed.
    func note(_ tokens: PhoneTokens, for topic: String, of phone: String) -> Bool {
        holders.withLock { holders in
            let before = holders[phone]?.tokens
            let now = PhoneTokens(
                app: tokens.app ?? before?.app, calls: tokens.calls ?? before?.calls,
                start: tokens.start ?? before?.start, activity: tokens.activity ?? before?.activity)
            holders[phone] = Holder(tokens: now, topic: topic)
            return now != before
        }
    }

    /// Forgets the tokens of a phone whose app has been deleted.
    func forgetTokens(of phone: String) { holders.withLock { $0[phone]?.tokens = PhoneTokens() } }

    func phone(of installation: String) -> String? { installations.withLock { $0[installation] } }

    /// Records an installation of the app on a phone; the record stays after the app was deleted.
    func note(installation: String, of phone: String) { installations.withLock { $0[installation] = phone } }

    /// Assigns an installation to its phone, by the token that the installation has registered at the service.
    func recognise(_ installation: String, in store: Store) async {
        guard phone(of: installation) == nil, let record = try? await store.devices.device(installation),
            let phone = (record.token ?? record.claimedToken).flatMap(phone(with:))
        else { return }
        installations.withLock { $0[installation] = phone }
    }
}
