/// Finds senders that are gone: their processes have ended, or they had no heartbeat for
/// ``DeliveryLimits/leaseDuration``.
///
/// The watch compares only readings of its own monotonic clock. Clocks of other processes and changes of the wall clock
/// have no effect.
///
/// While the database is unreachable, the watch cannot read heartbeats, but other senders cannot write them either. So one
/// reading adds at most ``DeliveryLimits/beatsPerLook`` heartbeat intervals to the time for which a sender had no heartbeat,
/// however long ago the previous reading was.
struct SenderWatch: Sendable {
    private struct Sight {
        var beat: Int
        /// The time for which the sender's heartbeat counter has certainly not changed.
        var still = Duration.zero
        /// The time, on the monotonic clock, at which the duration ``still`` was last updated.
        var counted: Duration
    }

    private let lease: Duration
    private var sights: [SenderNumber: Sight] = [:]

    /// Makes a watch that has seen no sender.
    ///
    /// - Parameter lease: the longest time that a sender may spend without a heartbeat.
    init(lease: Duration) { self.lease = lease }

    /// Records the heartbeat counters of the other senders, and returns the senders that are gone.
    ///
    /// - Parameters:
    ///   - others: all other senders.
    ///   - began: the time at which the reading of the counters began. A sender with an unchanged counter had no heartbeat up to
    ///     this time.
    ///   - ended: the time at which the reading of the counters ended. A sender with a changed counter counts as alive at this
    ///     time.
    /// - Returns: the senders whose leases may be taken over.
    mutating func observe(_ others: [SenderBeat], began: Duration, ended: Duration) -> [SenderBeat] {
        var seen: [SenderNumber: Sight] = [:]
        var gone: [SenderBeat] = []
        for other in others {
            var sight = Sight(beat: other.beat, counted: ended)
            if let known = sights[other.sender], known.beat == other.beat {
                let longest = lease / DeliveryLimits.beatsPerLease * DeliveryLimits.beatsPerLook
                sight.still = known.still + min(began - known.counted, longest)
                sight.counted = began
            }
            seen[other.sender] = sight
            if other.isDead || sight.still >= lease { gone.append(other) }
        }
        sights = seen
        return gone
    }
}
