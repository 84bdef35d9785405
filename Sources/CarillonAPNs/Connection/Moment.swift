import CarillonCore

/// Now, twice: on the wall clock for what travels, on a steady one for what waits. The two drift apart when somebody
/// sets the machine's clock; nothing that waits may notice.
struct Moment: Sendable, Hashable {
    /// For `iat` and nothing else.
    var wall: Timestamp
    /// Counts the clock's uptime; only differences mean anything.
    var steady: Timestamp

    init(wall: Timestamp, steady: Timestamp) {
        self.wall = wall
        self.steady = steady
    }

    init(_ clock: any CarillonClock) {
        self.init(
            wall: clock.now, steady: Timestamp(millisecondsSince1970: clock.uptime.wholeMilliseconds))
    }
}
