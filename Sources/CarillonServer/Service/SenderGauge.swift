import Synchronization

/// The pushes in flight of this process's sender, and the time until which it may send.
final class SenderGauge: Sendable {
    struct Reading: Sendable, Hashable {
        /// The numbers of pushes in flight, by queue.
        var single = 0
        var bulk = 0
        /// The greatest number of pushes in flight.
        var places = 0
        /// The end of the sender's lease, on the monotonic clock; zero before it has joined.
        var leaseEnd = Duration.zero
    }

    private let state = Mutex(Reading())

    var reading: Reading { state.withLock { $0 } }

    func update(_ reading: Reading) { state.withLock { $0 = reading } }
}
