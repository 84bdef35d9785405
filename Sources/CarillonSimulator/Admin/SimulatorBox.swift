import Synchronization

/// Holds a weak reference to the admin server's simulator, which is set once the simulator exists.
///
/// The admin server starts a moment earlier than the simulator, and does not keep it alive.
final class SimulatorBox: Sendable {
    private struct Reference: Sendable { weak var simulator: APNsSimulator? }

    private let state = Mutex(Reference())

    var simulator: APNsSimulator? {
        get { state.withLock { $0.simulator } }
        set { state.withLock { $0.simulator = newValue } }
    }
}
