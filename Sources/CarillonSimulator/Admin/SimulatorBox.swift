import Synchronization

/// A weak reference to the admin server's simulator, set when the simulator exists.
///
/// The admin server starts before the simulator and does not keep it alive.
final class SimulatorBox: Sendable {
    private struct Reference: Sendable { weak var simulator: APNsSimulator? }

    private let state = Mutex(Reference())

    var simulator: APNsSimulator? {
        get { state.withLock { $0.simulator } }
        set { state.withLock { $0.simulator = newValue } }
    }
}
