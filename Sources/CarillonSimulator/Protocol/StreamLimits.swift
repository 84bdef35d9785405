import NIOHTTP2

/// Limits the streams that a sender may have open, and decides which ones count.
struct StreamLimits: Sendable {
    enum Verdict: Sendable, Hashable {
        case accept
        /// RST_STREAM with REFUSED_STREAM: the sender may not have seen the limit when it opened the stream, so it is
        /// the stream that is refused, not the connection (RFC 9113 §5.1.2).
        case refuse
        /// It came after a GOAWAY that did not include it: as if it had never been sent.
        case ignore
    }

    /// The number of streams allowed until a valid token has come: "APNs allows only one stream until you post a request with
    /// a valid authentication token".
    private let beforeProof: Int
    private var full: Int
    private var isRaised: Bool
    private var requestCount = 0
    private var rejectionsInARow = 0
    private var isFinal = false
    /// Whether the connection has to end after the answer that is due.
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

    /// - Returns: the new limit, when SETTINGS have to tell it.
    mutating func adjust(hasProvenItself: Bool, hasFailed: Bool) -> Int? {
        if hasFailed, isRaised {
            isRaised = false
            return beforeProof
        }
        guard hasProvenItself, !hasFailed, !isRaised else { return nil }
        isRaised = true
        return full
    }

    /// Whether a stream may be refused before the sender has shown a valid token.
    var mayRefuse: Bool { !isRaised }

    /// The limit that holds now, and that the first SETTINGS tell.
    var current: Int { isRaised ? full : beforeProof }

    /// Counts refusals; "too many" slow a sender down, then end its connection.
    mutating func count(isRejection: Bool, patience: FaultPlan.Patience) -> Strictness {
        rejectionsInARow = isRejection ? rejectionsInARow + 1 : 0
        hasLostPatience = rejectionsInARow >= patience.closeAfter
        return rejectionsInARow >= patience.slowAfter ? .slow : .none
    }

    enum Strictness: Sendable, Hashable { case none, slow }

    /// - Returns: what SETTINGS have to tell.
    mutating func limit(to limit: Int) -> Int {
        full = max(1, limit)
        return isRaised ? full : beforeProof
    }

    /// - Returns: whether this request was the one after which the connection ends.
    mutating func countRequest(goAwayEvery every: Int) -> Bool {
        requestCount += 1
        return requestCount >= max(1, every)
    }

    /// GOAWAY has been sent: streams beyond the last one are none.
    mutating func refuseFurther() { isFinal = true }
}
