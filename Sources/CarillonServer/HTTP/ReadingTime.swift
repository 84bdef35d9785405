import NIOCore

/// Determines the time by which a client must send more of a request or read more of an answer.
///
/// This type only decides; ``RequestGate`` acts. While a body arrives, only the time in which the service waits for the client
/// counts, so that a client is not blamed for a busy service.
struct ReadingTime {
    private enum Phase { case head, body, service }

    private let times: ConnectionTimes
    private var phase = Phase.service
    /// The deadline for the rest of a request's head, or for more of its body; `nil` while the service waits for neither.
    private var end: NIODeadline?
    /// The time that the client has left to send the rest of the body.
    private var left = TimeAmount.zero
    /// The time at which the present wait for more of the body began; `nil` if the service does not wait.
    private var began: NIODeadline?
    /// The deadline for the client to read more of the answer.
    private var unread: NIODeadline?

    init(_ times: ConnectionTimes) { self.times = times }

    /// The deadline for the client's next action; `nil` while the service expects nothing from the client.
    var deadline: NIODeadline? { [end, unread].compactMap(\.self).min() }
    /// Whether a body is still arriving, so that a timeout must be reported to the reader of the body.
    var isBody: Bool { phase == .body }

    mutating func opened(at now: NIODeadline) { (phase, end) = (.head, now + TimeAmount(times.head)) }

    mutating func receivedHead() {
        (phase, end, left, began) = (.body, nil, TimeAmount(times.body), nil)
    }

    /// Records that the service waits for more bytes of the client's body.
    mutating func awaits(at now: NIODeadline) {
        guard phase == .body, began == nil else { return }
        (began, end) = (now, now + left)
    }

    /// Records that bytes of the body have arrived, which gives the client more time for the rest.
    mutating func received(_ bytes: Int, at now: NIODeadline) {
        guard phase == .body else { return }
        if let began { left = left - (now - began) }
        let gained = TimeAmount.nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(times.bodyBytesPerSecond))
        left = min(TimeAmount(times.body), left + gained)
        (began, end) = (nil, nil)
    }

    /// Records that a request is complete, or that the service reads no more of it.
    mutating func receivedAll() { (phase, end, began) = (.service, nil, nil) }

    /// Records that the last answer has ended, so that the next request may come.
    mutating func answered(at now: NIODeadline) {
        guard phase == .service else { return }
        (phase, end) = (.head, now + TimeAmount(times.idle))
    }

    /// Records whether the client reads the answer as fast as the service writes it.
    mutating func reads(_ reads: Bool, at now: NIODeadline) {
        unread = reads ? nil : unread ?? now + TimeAmount(times.answer)
    }
}
