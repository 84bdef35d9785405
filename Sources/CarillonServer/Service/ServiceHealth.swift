import CarillonCore
import Synchronization

/// The faults of this process that `/healthz` reports: apps that cannot send, and credentials that expire soon or are refused.
final class ServiceHealth: Sendable {
    private let state = Mutex<[SendingGates.Alarm]>([])
    private let credentials = Mutex<[EndingCredential]>([])
    private let refused = Mutex<Set<AppID>>([])
    private let sender = Mutex<(notSending: String?, otherPlaces: Set<String>)>((nil, []))

    var alarms: [SendingGates.Alarm] { state.withLock { $0 } }

    /// Returns the reason why messages of the app with this bundle id wait, as a sentence; `nil` if they do not wait.
    func waiting(topic: String, at now: Timestamp) -> String? {
        let reasons = alarms.filter { $0.app.topic == topic }.map {
            "\($0.app.environment.rawValue): \($0.sentence(at: now))"
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// The certificates of all apps, each with the time at which it expires.
    var credentialEnds: [EndingCredential] { credentials.withLock { $0 } }

    /// The apps whose new credential APNs refuses while the old one is used.
    var refusedCredentials: [AppID] { refused.withLock { $0.sorted { $0.description < $1.description } } }

    /// The sentences that say why this process's sender cannot send at all, or should not; empty if it sends as it should.
    var senderTroubles: [String] {
        sender.withLock { sender in
            let others = sender.otherPlaces.sorted().map {
                "another sender of this database sends to \($0): end the process that sends to the wrong APNs"
            }
            return (sender.notSending.map { ["this process does not send: \($0)"] } ?? []) + others
        }
    }

    func update(notSending reason: String?) { sender.withLock { $0.notSending = reason } }

    func update(otherPlaces: Set<String>) { sender.withLock { $0.otherPlaces = otherPlaces } }

    func update(refused apps: Set<AppID>) { refused.withLock { $0 = apps } }

    /// Forgets the certificates of removed apps.
    ///
    /// - Parameter topics: the bundle ids of the removed apps.
    func forget(_ topics: Set<String>) {
        guard !topics.isEmpty else { return }
        credentials.withLock { $0.removeAll { topics.contains($0.app.topic) } }
    }

    func update(_ alarms: [SendingGates.Alarm]) { state.withLock { $0 = alarms } }

    func update(_ ends: [EndingCredential]) { credentials.withLock { $0 = ends } }
}
