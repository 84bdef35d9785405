import CarillonCore
import Synchronization

/// What is wrong with this process, or soon will be, for `/healthz`.
final class ServiceHealth: Sendable {
    private let state = Mutex<[CredentialGates.Alarm]>([])
    private let credentials = Mutex<[EndingCredential]>([])

    var alarms: [CredentialGates.Alarm] { state.withLock { $0 } }

    /// Credentials that end soon or have ended.
    var endingCredentials: [EndingCredential] { credentials.withLock { $0 } }

    func update(_ alarms: [CredentialGates.Alarm]) { state.withLock { $0 = alarms } }

    func update(_ ending: [EndingCredential]) { credentials.withLock { $0 = ending } }
}
