import Synchronization

/// The weak reference to a fleet that all its connections share.
///
/// A weak reference in each connection would cost memory and a look-up for each.
final class FleetReference: Sendable {
    struct Weak: Sendable {
        weak var value: DeviceFleet?
    }

    let fleet = Mutex(Weak())
}
