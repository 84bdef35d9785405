import CarillonCore
import Synchronization

/// What is wrong with this process, or soon will be, for `/healthz`.
final class ServiceHealth: Sendable {
    private let state = Mutex<[SendingGates.Alarm]>([])
    private let credentials = Mutex<[EndingCredential]>([])

    var alarms: [SendingGates.Alarm] { state.withLock { $0 } }

    /// Why messages of an app wait, in a sentence; `nil` where they do not.
    func waiting(topic: String) -> String? {
        let reasons = alarms.filter { $0.app.topic == topic }.map {
            "\($0.app.environment.rawValue): \($0.trouble.reason)"
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: "; ")
    }

    /// Credentials that end soon or have ended.
    var endingCredentials: [EndingCredential] { credentials.withLock { $0 } }

    func update(_ alarms: [SendingGates.Alarm]) { state.withLock { $0 = alarms } }

    func update(_ ending: [EndingCredential]) { credentials.withLock { $0 = ending } }
}
