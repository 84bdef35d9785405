import CarillonCore

/// A limit on the number of an app's pushes in a second.
///
/// The bucket never holds more pushes than ``perSecond``, even after a pause. A clock that is set back adds nothing; a clock that
/// is set forward adds at most ``perSecond``. The bucket counts thousandths of a push, so rounding loses nothing.
package struct TokenBucket: Sendable, Hashable {
    package let perSecond: Int
    /// The number of pushes that may be sent now, in thousandths of a push.
    package private(set) var thousandths: Int64
    /// The time of the last refill.
    package private(set) var at: Timestamp

    package init(perSecond: Int, thousandths: Int64 = 0, at: Timestamp = Timestamp(millisecondsSince1970: 0)) {
        self.perSecond = perSecond
        self.thousandths = thousandths
        self.at = at
    }

    /// Returns the number of pushes from one queue (``DeliveryLane``) that may be sent now.
    ///
    /// Pushes of the bulk queue must leave one tenth of ``perSecond`` in the bucket, so that a push of the single queue need not
    /// wait for the next refill.
    func available(to lane: DeliveryLane) -> Int { max(0, Int((thousandths - reserve(lane)) / 1000)) }

    private func reserve(_ lane: DeliveryLane) -> Int64 { lane == .bulk ? Int64(perSecond / 10) * 1000 : 0 }

    /// Adds the pushes that have become allowed since the last refill.
    package mutating func refill(at now: Timestamp) {
        let milliseconds = min(1000, max(0, (now - at).wholeMilliseconds))
        thousandths = min(Int64(perSecond) * 1000, thousandths + milliseconds * Int64(perSecond))
        at = now
    }

    package mutating func take(_ pushes: Int) { thousandths -= Int64(pushes) * 1000 }

    /// Returns the time at which it becomes worthwhile to lease pushes of one queue.
    ///
    /// Leasing is worthwhile once the queue may send a group of pushes: a tenth of ``perSecond``, but at least 1 and at most
    /// ``DeliveryLimits/pushesBesideSingleMessages``. A larger group would delay single messages.
    func next(for lane: DeliveryLane) -> Timestamp {
        let worth = max(1, min(perSecond / 10, DeliveryLimits.pushesBesideSingleMessages))
        let missing = reserve(lane) + Int64(worth) * 1000 - thousandths
        return at + .milliseconds(max(0, (missing + Int64(perSecond) - 1) / Int64(perSecond)))
    }
}
