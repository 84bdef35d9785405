import Synchronization

/// One weak reference to a fleet for all its connections: a weak reference in each would cost each a look-up and memory.
final class FleetReference: Sendable {
    struct Weak: Sendable {
        weak var value: DeviceFleet?
    }

    let fleet = Mutex(Weak())
}
