import CarillonCore

/// One reading of both clocks: the wall clock for what is sent, the steady one for what waits.
///
/// The two drift apart when somebody sets the machine's clock; nothing that waits may notice.
struct ClockReading: Sendable, Hashable {
    /// For `iat` and nothing else.
    var wall: Timestamp
    /// Counts the clock's uptime; only differences mean anything.
    var steady: Timestamp

    /// The same as ``steady``, exactly.
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
