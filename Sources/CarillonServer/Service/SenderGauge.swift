import Synchronization

/// The pushes in flight of this process's sender, and the time until which it may send.
final class SenderGauge: Sendable {
    struct Reading: Sendable, Hashable {
        /// The number of pushes in flight from the queue ``DeliveryLane/single``.
        var single = 0
        var bulk = 0
        /// The number of pushes that may be in flight at once.
        var places = 0
        /// The time, on the monotonic clock, until which the sender may send its pushes (``Lease``); zero before the sender has
        /// registered.
        var leaseEnd = Duration.zero
    }

    private let state = Mutex(Reading())

    var reading: Reading { state.withLock { $0 } }

    func update(_ reading: Reading) { state.withLock { $0 = reading } }
}
