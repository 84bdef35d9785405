/// Tells which other senders are gone: their processes have ended, or they have stood still for a whole lease.
///
/// A value. It compares readings of one monotonic clock, its own: no clock of another process or machine is believed, and
/// setting the time changes nothing.
struct SenderWatch: Sendable {
    private struct Sight {
        var beat: Int
        /// When that beat was seen first.
        var since: Duration
    }

    private let lease: Duration
    private var sights: [SenderNumber: Sight] = [:]

    /// - Parameter lease: how long a sender may stand still.
    init(lease: Duration) { self.lease = lease }

    /// The others have been looked at.
    ///
    /// - Parameters:
    ///   - others: all other senders there are.
    ///   - uptime: when the look began.
    /// - Returns: those whose leases may be taken over.
    mutating func observe(_ others: [SenderBeat], at uptime: Duration) -> [SenderBeat] {
        var seen: [SenderNumber: Sight] = [:]
        var gone: [SenderBeat] = []
        for other in others {
            let known = sights[other.sender]
            let sight = known.flatMap { $0.beat == other.beat ? $0 : nil } ?? Sight(beat: other.beat, since: uptime)
            seen[other.sender] = sight
            if other.isDead || uptime - sight.since >= lease { gone.append(other) }
        }
        sights = seen
        return gone
    }
}
