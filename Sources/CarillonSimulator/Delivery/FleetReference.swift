import Synchronization

/// A weak reference to a fleet, shared by all connections of the fleet.
///
/// If each connection had its own weak reference, every reference would cost memory and a look-up.
final class FleetReference: Sendable {
    struct Weak: Sendable {
        weak var value: DeviceFleet?
    }

    let fleet = Mutex(Weak())
}
