import CarillonCore
import Synchronization

/// What is wrong with this process, for `/healthz`.
final class ServiceHealth: Sendable {
    private let state = Mutex<[AppGates.Alarm]>([])

    var alarms: [AppGates.Alarm] { state.withLock { $0 } }

    func update(_ alarms: [AppGates.Alarm]) { state.withLock { $0 = alarms } }
}
