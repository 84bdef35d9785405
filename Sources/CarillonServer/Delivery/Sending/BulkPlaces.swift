import CarillonCore

/// The number of bulk pushes that may be in flight while single messages go out, which wait behind them for APNs' answer.
///
/// A value. It learns from the time that answers take. An answer that takes much longer than the fastest has waited behind
/// others, so fewer pushes go out together from then on. If answers are slow only because APNs is far away, all places stay in
/// use, even though answers vary by up to half of the fastest.
struct BulkPlaces: Sendable, Hashable {
    private let most: Int
    private let least: Int
    /// The present number of places.
    private(set) var count: Int
    /// The fastest answers of the current and the former period; two periods are kept because a path to APNs may become slower.
    private var fastest: Duration?
    private var formerFastest: Duration?
    private var whileEnds = Duration.zero

    /// - Parameters:
    ///   - most: the number of places while no push waits behind others.
    ///   - least: the number of places that is always left.
    init(most: Int, least: Int = DeliveryLimits.leastBulkPlaces) {
        (self.most, self.least) = (most, min(least, most))
        count = most
    }

    /// Adapts the number of places to the time that an answer took.
    ///
    /// - Parameters:
    ///   - took: the time from the push's hand-over to its answer.
    ///   - bulk: the number of bulk pushes in flight; places are gained only while half of them are in use.
    ///   - uptime: the monotonic clock.
    mutating func answered(after took: Duration, bulk: Int, _ uptime: Duration) {
        if uptime >= whileEnds {
            (formerFastest, fastest) = (fastest, nil)
            whileEnds = uptime + DeliveryLimits.fastestAnswerMemory
        }
        fastest = min(took, fastest ?? took)
        let path = min(fastest ?? took, formerFastest ?? took)
        // On a long path, answers vary by more than the wait behind others on a short path.
        if took - path > max(DeliveryLimits.longestWaitBehindBulk, path / 2) {
            count = max(least, count - count / 8)
        } else if bulk * DeliveryLimits.bulkParts >= count {
            count = min(most, count + DeliveryLimits.bulkPlacesGained)
        }
    }
}
