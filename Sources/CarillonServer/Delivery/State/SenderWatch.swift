/// Finds senders that are gone: their processes have ended, or they have stood still for a whole lease.
///
/// It is a value. It compares only readings of its own monotonic clock. The clocks of other processes and changes of the wall
/// clock have no effect. While it cannot look, for example because the database is unreachable, other senders cannot beat
/// either. So a pause between two looks counts as a few beats at most.
struct SenderWatch: Sendable {
    private struct Sight {
        var beat: Int
        /// The time for which the beat has certainly not changed.
        var still = Duration.zero
        /// The time up to which ``still`` has been counted.
        var counted: Duration
    }

    private let lease: Duration
    private var sights: [SenderNumber: Sight] = [:]

    /// Makes a watch that has seen no sender.
    ///
    /// - Parameter lease: the longest time for which a sender may stand still.
    init(lease: Duration) { self.lease = lease }

    /// Records a look at the other senders, and returns the senders that are gone.
    ///
    /// - Parameters:
    ///   - others: all other senders.
    ///   - began: the beginning of the look. A sender with an unchanged beat stood still at least until then.
    ///   - ended: the end of the look. A new beat was made before then.
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
