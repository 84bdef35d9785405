import Synchronization

/// A weak reference to a ``DeviceFleet`` (all devices of a simulator).
///
/// The connections of all these devices share one `FleetReference`, which costs less than a weak reference in each connection.
final class FleetReference: Sendable {
    struct Weak: Sendable {
        weak var value: DeviceFleet?
    }

    let fleet = Mutex(Weak())
}
