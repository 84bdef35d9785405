import CarillonCore

/// The present time of two clocks: of the wall clock for dates, and of the monotonic clock for waits.
///
/// The monotonic clock is the machine's uptime. It does not change when somebody sets the wall clock, so no wait is affected.
struct ClockReading: Sendable, Hashable {
    /// The time of the wall clock, for provider tokens and for comparisons with the dates of answers and certificates.
    var wall: Timestamp
    /// The time of the monotonic clock: the machine's uptime as a timestamp.
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

    /// Returns the present time of the monotonic clock alone, as ``steady`` has it.
    static func steady(_ clock: any CarillonClock) -> Timestamp {
        Timestamp(millisecondsSince1970: clock.uptime.wholeMilliseconds)
    }
}
