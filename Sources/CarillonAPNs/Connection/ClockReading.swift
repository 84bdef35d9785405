import CarillonCore

/// One reading of both clocks: the wall clock for dates, the steady clock for waits.
///
/// The clocks drift apart when somebody sets the machine's clock, and that must not affect a wait.
struct ClockReading: Sendable, Hashable {
    /// The time of the wall clock, for provider tokens and for comparisons with the dates of answers and certificates.
    var wall: Timestamp
    /// The clock's uptime as a timestamp.
    ///
    /// Only differences between such timestamps are meaningful.
    var steady: Timestamp

    /// The clock's uptime: ``steady`` without rounding.
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
