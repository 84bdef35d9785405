import CarillonCore

/// How many pushes to many devices may be in flight while single messages go out, which wait behind them for APNs' answer.
///
/// A value. It learns from how long answers take: one that comes much later than the fastest has waited for others, and fewer
/// go out together from then on. Where answers take long because APNs is far away nothing waits, and all places stay in use,
/// though answers vary by up to half of the fastest.
struct BulkPlaces: Sendable, Hashable {
    private let most: Int
    private let least: Int
    /// The places at present.
    private(set) var count: Int
    /// The fastest answer of this while, and of the one before: a path to APNs may become slower.
    private var fastest: Duration?
    private var formerFastest: Duration?
    private var whileEnds = Duration.zero

    /// - Parameters:
    ///   - most: the places where nothing waits.
    ///   - least: those that are left in any case.
    init(most: Int, least: Int = ServiceLimits.leastBulkPlaces) {
        (self.most, self.least) = (most, min(least, most))
        count = most
    }

    /// Takes notice of an answer.
    ///
    /// - Parameters:
    ///   - took: how long after its push was handed over.
    ///   - bulk: how many pushes to many devices are in flight: places are gained only where half of them are in use.
    ///   - uptime: the monotonic clock.
    mutating func answered(after took: Duration, bulk: Int, _ uptime: Duration) {
        if uptime >= whileEnds {
            (formerFastest, fastest) = (fastest, nil)
            whileEnds = uptime + ServiceLimits.fastestAnswerMemory
        }
        fastest = min(took, fastest ?? took)
        let path = min(fastest ?? took, formerFastest ?? took)
        // Over a long path answers vary by more than those behind others wait on a short one.
        if took - path > max(ServiceLimits.longestWaitBehindBulk, path / 2) {
            count = max(least, count - count / 8)
        } else if bulk * ServiceLimits.bulkParts >= count {
            count = min(most, count + ServiceLimits.bulkPlacesGained)
        }
    }
}
