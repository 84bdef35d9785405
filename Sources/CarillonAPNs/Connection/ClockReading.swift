import CarillonCore

/// The present time of two clocks: of the wall clock for dates, and of the steady clock for waits.
///
/// The steady clock is the machine's uptime. When somebody sets the wall clock, the steady clock does not change, so no wait is
/// affected.
struct ClockReading: Sendable, Hashable {
    /// The time of the wall clock, for provider tokens and for comparisons with the dates of answers and certificates.
    var wall: Timestamp
    /// The time of the steady clock: the machine's uptime as a timestamp.
    ///
    /// Only differences between such timestamps are meaningful.
    var steady: Timestamp

    /// The machine's uptime: ``steady`` without rounding to milliseconds.
    let uptime: Duration

    init(wall: Timestamp, steady: Timestamp) {
        self.wall = wall
        self.steady = steady
        uptime = .milliseconds(steady.millisecondsSince1970)
    }

    init(_ clock: any CarillonClock) {
        wall = clock.now
        uptime = clock.uptime
        steady = Timestamp(millisecondsSince1970: uptime.wholeMilliseconds)
    }
}
