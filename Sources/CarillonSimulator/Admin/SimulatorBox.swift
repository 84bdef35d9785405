import Synchronization

/// Where the admin server finds the simulator that it was started for, a moment before that exists; it keeps none
/// alive.
final class SimulatorBox: Sendable {
    private struct Reference: Sendable { weak var simulator: APNsSimulator? }

    private let state = Mutex(Reference())

    var simulator: APNsSimulator? {
        get { state.withLock { $0.simulator } }
        set { state.withLock { $0.simulator = newValue } }
    }
}
