/// Tells which other senders are gone: their processes have ended, or they have stood still for a whole lease.
///
/// A value. It compares readings of one monotonic clock, its own: no clock of another process or machine is believed, and
/// setting the time changes nothing. What keeps it from looking, such as a database that cannot be reached, keeps the others from
/// beating too: however long it has not looked, that counts as a few beats.
struct SenderWatch: Sendable {
    private struct Sight {
        var beat: Int
        /// For how long the beat has certainly been the same.
        var still = Duration.zero
        /// Until when that was counted.
        var counted: Duration
    }

    private let lease: Duration
    private var sights: [SenderNumber: Sight] = [:]

    /// - Parameter lease: how long a sender may stand still.
    init(lease: Duration) { self.lease = lease }

    /// The others have been looked at.
    ///
    /// - Parameters:
    ///   - others: all other senders there are.
    ///   - began: when the look began: what stands still has done so until then at least.
    ///   - ended: when it ended: what is new has come before.
    /// - Returns: those whose leases may be taken over.
    mutating func observe(_ others: [SenderBeat], began: Duration, ended: Duration) -> [SenderBeat] {
        var seen: [SenderNumber: Sight] = [:]
        var gone: [SenderBeat] = []
        for other in others {
            var sight = Sight(beat: other.beat, counted: ended)
            if let known = sights[other.sender], known.beat == other.beat {
                let longest = lease / ServiceLimits.beatsPerLease * ServiceLimits.beatsPerLook
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
