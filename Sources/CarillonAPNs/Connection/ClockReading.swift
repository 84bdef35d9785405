import CarillonCore

/// One reading of both clocks: the wall clock for timestamps that are sent, the steady clock for waits.
///
/// The clocks drift apart when somebody sets the machine's clock, and no wait may be affected by that.
struct ClockReading: Sendable, Hashable {
    /// The wall clock's time, used only for `iat`.
    var wall: Timestamp
    /// The clock's uptime as a timestamp; only differences have a meaning.
    var steady: Timestamp

    /// The clock's uptime, equal to ``steady`` without rounding.
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
