import NIOHTTP2

/// Limits a sender's open streams, and decides which streams are processed.
struct StreamLimits: Sendable {
    enum Verdict: Sendable, Hashable {
        case accept
        /// Refuse the stream with REFUSED_STREAM (RFC 9113 §5.1.2).
        ///
        /// The sender may not have seen the limit when it opened the stream, so the connection stays open.
        case refuse
        /// Ignore the stream: it came after a GOAWAY that did not include it, and counts as never sent.
        case ignore
    }

    /// The number of streams allowed before a valid token.
    ///
    /// Apple: "APNs allows only one stream until you post a request with a valid authentication token".
    private let beforeProof: Int
    private var full: Int
    private var isRaised: Bool
    private var requestCount = 0
    private var rejectionsInARow = 0
    private var isFinal = false
    /// Whether the connection must end after the next answer.
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

    /// Raises the limit if the sender has shown a valid token, or lowers it if `hasFailed` is true.
    ///
    /// - Returns: the new limit if SETTINGS must announce it; otherwise `nil`.
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

    /// The present limit, which the first SETTINGS announce.
    var current: Int { isRaised ? full : beforeProof }

    /// Counts consecutive rejections against the fault plan's ``FaultPlan/Patience``.
    ///
    /// Too many rejections slow a sender down; even more of them end its connection.
    mutating func count(isRejection: Bool, patience: FaultPlan.Patience) -> Strictness {
        rejectionsInARow = isRejection ? rejectionsInARow + 1 : 0
        hasLostPatience = rejectionsInARow >= patience.closeAfter
        return rejectionsInARow >= patience.slowAfter ? .slow : .none
    }

    enum Strictness: Sendable, Hashable { case none, slow }

    /// Changes the limit for senders with a valid token.
    ///
    /// - Returns: the limit that SETTINGS must announce.
    mutating func limit(to limit: Int) -> Int {
        full = max(1, limit)
        return isRaised ? full : beforeProof
    }

    /// Counts a request of this connection.
    ///
    /// - Parameter every: the number of requests after which the connection gets GOAWAY.
    /// - Returns: whether the connection ends after this request.
    mutating func countRequest(goAwayEvery every: Int) -> Bool {
        requestCount += 1
        return requestCount >= max(1, every)
    }

    /// Records that GOAWAY has been sent.
    ///
    /// Later streams are ignored.
    mutating func refuseFurther() { isFinal = true }
}
