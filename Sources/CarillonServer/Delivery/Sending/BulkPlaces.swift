import CarillonCore

/// An adaptive limit on the number of pushes in flight from the queue ``DeliveryLane/bulk``.
///
/// The limit applies while pushes from the queue ``DeliveryLane/single`` go out.
///
/// Pushes of both queues share the connections to APNs, so many bulk pushes in flight delay the single pushes. An answer that
/// takes much longer than the fastest answer shows such a delay, and reduces the limit.
///
/// A long path to APNs does not reduce the limit, because an answer counts as slow only if it takes more than one and a half
/// times as long as the fastest answer.
struct BulkPlaces: Sendable, Hashable {
    private let most: Int
    private let least: Int
    /// The present limit: the number of pushes of ``DeliveryLane/bulk`` that may be in flight.
    private(set) var count: Int
    /// The shortest time to an answer in the present period (``DeliveryLimits/fastestAnswerMemory``); `nil` before the first
    /// answer.
    ///
    /// ``BulkPlaces`` forgets answers older than two periods, because a path to APNs may become slower.
    private var fastest: Duration?
    /// The shortest time to an answer in the previous period (``DeliveryLimits/fastestAnswerMemory``); `nil` if there was no
    /// answer.
    private var formerFastest: Duration?
    private var whileEnds = Duration.zero

    /// Creates a limit on the pushes in flight from ``DeliveryLane/bulk``; the limit begins at its greatest value.
    ///
    /// - Parameters:
    ///   - most: the greatest value of the limit, in pushes.
    ///   - least: the lowest value, in pushes, to which slow answers from APNs reduce the limit; a value above `most` counts as
    ///     `most`.
    init(most: Int, least: Int = DeliveryLimits.leastBulkPlaces) {
        (self.most, self.least) = (most, min(least, most))
        count = most
    }

    /// Adapts the limit on bulk pushes in flight to the time that APNs took for an answer.
    ///
    /// - Parameters:
    ///   - took: the time from the hand-over of the push to APNs until the answer.
    ///   - bulk: the number of pushes of ``DeliveryLane/bulk`` in flight. The limit grows only while this number is at least half
    ///     of the limit.
    ///   - uptime: the present time on the monotonic clock.
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
