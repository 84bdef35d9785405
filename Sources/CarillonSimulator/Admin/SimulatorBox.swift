import Synchronization

/// A weak reference from the admin server to the simulator, set when the simulator exists.
///
/// The admin server starts before the simulator, and does not keep the simulator alive.
final class SimulatorBox: Sendable {
    private struct Reference: Sendable { weak var simulator: APNsSimulator? }

    private let state = Mutex(Reference())

    var simulator: APNsSimulator? {
        get { state.withLock { $0.simulator } }
        set { state.withLock { $0.simulator = newValue } }
    }
}
