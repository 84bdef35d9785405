import NIOHTTP2

/// Limits a sender's open streams, and decides which streams are processed.
struct StreamLimits: Sendable {
    enum Verdict: Sendable, Hashable {
        case accept
        /// Refuses the stream with REFUSED_STREAM (RFC 9113 §5.1.2).
        ///
        /// The connection stays open, because the sender may have opened the stream before it knew the limit.
        case refuse
        /// Ignores the stream as if it had never been opened, because it came after a GOAWAY that did not include it.
        case ignore
    }

    /// The greatest number of streams that a sender may have open before its first valid token.
    ///
    /// Apple: "APNs allows only one stream until you post a request with a valid authentication token".
    private let beforeProof: Int
    private var full: Int
    private var isRaised: Bool
    private var requestCount = 0
    private var rejectionsInARow = 0
    private var isFinal = false
    /// Whether the connection must end after the next answer, because of too many consecutive rejections
    /// (``FaultPlan/Patience``).
    private(set) var hasLostPatience = false
    private(set) var lastStreamID = HTTP2StreamID.rootStream

    init(full: Int, beforeProof: Int, isRaised: Bool) {
        self.full = full
        self.beforeProof = beforeProof
        self.isRaised = isRaised
    }

    mutating func opened(_ id: HTTP2StreamID, openCount: Int) -> Verdict {
        guard !isFinal else { return .ignore }
        lastStreamID = max(lastStreamID, id)
        return isRaised || openCount < beforeProof ? .accept : .refuse
    }

    /// Raises the limit of open streams if the sender has shown a valid token, or lowers the limit if `hasFailed` is true.
    ///
    /// - Parameters:
    ///   - hasProvenItself: whether the sender has shown a valid provider token.
    ///   - hasFailed: whether the fault plan lowers the limit because the last answer was a rejection.
    /// - Returns: the new limit, which SETTINGS must announce to the sender; `nil` if the limit has not changed.
    mutating func adjust(hasProvenItself: Bool, hasFailed: Bool) -> Int? {
        if hasFailed, isRaised {
            isRaised = false
            return beforeProof
        }
        guard hasProvenItself, !hasFailed, !isRaised else { return nil }
        isRaised = true
        return full
    }

    /// Whether a stream may be refused, because the sender has not shown a valid token yet.
    var mayRefuse: Bool { !isRaised }

    /// The greatest number of streams that the sender may have open at present.
    ///
    /// The simulator announces this number in its first SETTINGS frame on the connection.
    var current: Int { isRaised ? full : beforeProof }

    /// Counts an answer: a rejection continues the series of consecutive rejections, and any other answer ends the series.
    ///
    /// If the series is long enough to end the connection, ``hasLostPatience`` becomes true.
    ///
    /// - Returns: `slow` if the series is long enough to slow the sender down; otherwise `none`.
    mutating func count(isRejection: Bool, patience: FaultPlan.Patience) -> Strictness {
        rejectionsInARow = isRejection ? rejectionsInARow + 1 : 0
        hasLostPatience = rejectionsInARow >= patience.closeAfter
        return rejectionsInARow >= patience.slowAfter ? .slow : .none
    }

    enum Strictness: Sendable, Hashable { case none, slow }

    /// Changes the number of streams that this connection's sender may have open after it has shown a valid token.
    ///
    /// - Returns: the limit that applies to the sender now, which SETTINGS must announce.
    mutating func limit(to limit: Int) -> Int {
        full = max(1, limit)
        return isRaised ? full : beforeProof
    }

    /// Counts a request of this connection.
    ///
    /// - Parameter every: the number of requests after which the connection ends with GOAWAY.
    /// - Returns: whether the connection must end after this request.
    mutating func countRequest(goAwayEvery every: Int) -> Bool {
        requestCount += 1
        return requestCount >= max(1, every)
    }

    /// Records that GOAWAY has been sent, so that later streams are ignored.
    mutating func refuseFurther() { isFinal = true }
}
