import CarillonCore
import Synchronization

/// What is wrong with this process, for `/healthz`.
final class ServiceHealth: Sendable {
    private let state = Mutex<[CredentialGates.Alarm]>([])

    var alarms: [CredentialGates.Alarm] { state.withLock { $0 } }

    func update(_ alarms: [CredentialGates.Alarm]) { state.withLock { $0 = alarms } }
}
