/// Finds senders that are gone: their processes have ended, or they have stood still for a whole lease.
///
/// A value. It compares readings of its own monotonic clock only. It relies on no clock of another process or machine, and a
/// change of the wall clock has no effect. If it cannot look, for example because the database cannot be reached, the other
/// senders cannot beat either. So a pause between two looks counts as a few beats at most.
struct SenderWatch: Sendable {
    private struct Sight {
        var beat: Int
        /// The time for which the beat has certainly been unchanged.
        var still = Duration.zero
        /// The time up to which ``still`` was counted.
        var counted: Duration
    }

    private let lease: Duration
    private var sights: [SenderNumber: Sight] = [:]

    /// - Parameter lease: the time for which a sender may stand still.
    init(lease: Duration) { self.lease = lease }

    /// Takes the result of a look at the other senders.
    ///
    /// - Parameters:
    ///   - others: all other senders.
    ///   - began: the begin of the look; a sender with an unchanged beat stood still at least until then.
    ///   - ended: the end of the look; a new beat came before that.
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
