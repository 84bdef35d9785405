import NIOHTTP2

/// Limits the streams that a sender may have open, and decides which ones count.
struct StreamLimits: Sendable {
    enum Verdict: Sendable, Hashable {
        case accept
        /// The stream is refused with REFUSED_STREAM (RFC 9113 §5.1.2).
        ///
        /// The sender may not have seen the limit when it opened the stream, so the stream is refused and not the connection.
        case refuse
        /// The stream came after a GOAWAY that did not include it, and counts as never sent.
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

    /// - Returns: the new limit, when SETTINGS have to announce it.
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

    /// The present limit, which the first SETTINGS announce.
    var current: Int { isRaised ? full : beforeProof }

    /// Counts rejections in a row; too many slow a sender down, then end its connection.
    mutating func count(isRejection: Bool, patience: FaultPlan.Patience) -> Strictness {
        rejectionsInARow = isRejection ? rejectionsInARow + 1 : 0
        hasLostPatience = rejectionsInARow >= patience.closeAfter
        return rejectionsInARow >= patience.slowAfter ? .slow : .none
    }

    enum Strictness: Sendable, Hashable { case none, slow }

    /// - Returns: the limit that SETTINGS have to announce.
    mutating func limit(to limit: Int) -> Int {
        full = max(1, limit)
        return isRaised ? full : beforeProof
    }

    /// - Returns: whether the connection ends after this request.
    mutating func countRequest(goAwayEvery every: Int) -> Bool {
        requestCount += 1
        return requestCount >= max(1, every)
    }

    /// Notes that GOAWAY has been sent: later streams are ignored.
    mutating func refuseFurther() { isFinal = true }
}
