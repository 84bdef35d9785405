import CarillonCore

/// How many pushes may go out now, of so many a second.
///
/// A value. It holds the pushes of one second at most, and no more after a pause; a clock that is set back gives nothing, and
/// one that is set forward gives one second's. It counts thousandths, so nothing is lost by rounding.
package struct TokenBucket: Sendable, Hashable {
    package let perSecond: Int
    /// Thousandths of a push.
    package private(set) var thousandths: Int64
    /// When that was so.
    package private(set) var at: Timestamp

    package init(perSecond: Int, thousandths: Int64 = 0, at: Timestamp = Timestamp(millisecondsSince1970: 0)) {
        self.perSecond = perSecond
        self.thousandths = thousandths
        self.at = at
    }

    /// The pushes that may go out; of messages to many those of a tenth of a second fewer, so that a single message that comes
    /// meanwhile need not wait for the next.
    func available(to lane: DeliveryLane) -> Int { max(0, Int((thousandths - reserve(lane)) / 1000)) }

    private func reserve(_ lane: DeliveryLane) -> Int64 { lane == .bulk ? Int64(perSecond / 10) * 1000 : 0 }

    /// Adds what has come since.
    package mutating func refill(at now: Timestamp) {
        let milliseconds = min(1000, max(0, (now - at).wholeMilliseconds))
        thousandths = min(Int64(perSecond) * 1000, thousandths + milliseconds * Int64(perSecond))
        at = now
    }

    package mutating func take(_ pushes: Int) { thousandths -= Int64(pushes) * 1000 }

    /// When there are enough for it to be worth looking: those of a tenth of a second, or as many as go out together beside
    /// single messages, which would have to wait for more; at least one.
    func next(for lane: DeliveryLane) -> Timestamp {
        let worth = max(1, min(perSecond / 10, ServiceLimits.pushesBesideSingleMessages))
        let missing = reserve(lane) + Int64(worth) * 1000 - thousandths
        return at + .milliseconds(max(0, (missing + Int64(perSecond) - 1) / Int64(perSecond)))
    }
}
