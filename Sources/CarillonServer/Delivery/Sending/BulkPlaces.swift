import CarillonCore

/// A limit on the bulk pushes in flight, which adapts while single messages go out.
///
/// Single messages wait behind these pushes for APNs' answers, so the limit adapts to the time that answers take. If an answer
/// takes much longer than the fastest one, its push has waited behind others, and fewer pushes go out together.
///
/// If answers are slow only because APNs is far away, all places stay in use: an answer may take half as long again as the
/// fastest answer.
struct BulkPlaces: Sendable, Hashable {
    private let most: Int
    private let least: Int
    /// The present number of places.
    private(set) var count: Int
    /// The time that the fastest answer of this period took; `nil` before the first answer.
    ///
    /// Answers older than two periods are forgotten, because a path to APNs may become slower.
    private var fastest: Duration?
    /// The time that the fastest answer of the previous period took.
    private var formerFastest: Duration?
    private var whileEnds = Duration.zero

    /// Creates the limit with the greatest number of places.
    ///
    /// - Parameters:
    ///   - most: the number of places while no push waits behind others.
    ///   - least: the least number of places.
    init(most: Int, least: Int = DeliveryLimits.leastBulkPlaces) {
        (self.most, self.least) = (most, min(least, most))
        count = most
    }

    /// Adapts the number of places to the time that an answer took.
    ///
    /// - Parameters:
    ///   - took: the time from the hand-over of the push to APNs until the answer.
    ///   - bulk: the number of bulk pushes in flight. Places are added only while these pushes use at least half of the places.
    ///   - uptime: the monotonic clock.
    mutating func answered(after took: Duration, bulk: Int, _ uptime: Duration) {
        if uptime >= whileEnds {
            (formerFastest, fastest) = (fastest, nil)
            whileEnds = uptime + DeliveryLimits.fastestAnswerMemory
        }
        fastest = min(took, fastest ?? took)
        let path = min(fastest ?? took, formerFastest ?? took)
        // The tolerance grows with the path: on a long path, answer times vary by more than the longest wait on a short path.
        if took - path > max(DeliveryLimits.longestWaitBehindBulk, path / 2) {
            count = max(least, count - count / 8)
        } else if bulk * DeliveryLimits.bulkParts >= count {
            count = min(most, count + DeliveryLimits.bulkPlacesGained)
        }
    }
}
