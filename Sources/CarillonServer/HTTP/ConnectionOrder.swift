import NIOHTTP1

/// Decides the order of requests and answers on one connection, and when the connection ends.
///
/// This type only decides; ``RequestGate`` acts.
struct ConnectionOrder {
    /// A request that the service has received and not answered completely yet.
    private struct Exchange {
        var isKeptAlive: Bool
        var isOld: Bool
    }

    private var exchanges: [Exchange] = []
    /// Whether the body of the newest request is still being read.
    private var isReading = false
    /// Whether the client waits for status 100 before it sends the body.
    private var isAwaited = false
    /// Whether the service reads no further request, because it has refused the newest request or closes the connection after the
    /// answer.
    private var isOver = false
    private var refusal: Problem?

    /// Whether no request is being read or answered, and the connection accepts another request.
    var isIdle: Bool { exchanges.isEmpty && !isOver }

    /// The way in which ``RequestGate`` must handle a part of a request.
    enum Inbound {
        case pass
        case drop
        case refuse(Problem)
    }

    /// The step that ``RequestGate`` must take after the end of an answer.
    enum Outbound {
        case goOn
        case close
        case refuse(Problem)
    }

    mutating func received(_ head: HTTPRequestHead) -> Inbound {
        guard !isOver else { return .drop }
        if let refusal = RequestRules.refusal(of: head) { return refused(refusal) }
        // After a request to change the protocol, the parser reads nothing more, even if the service ignores the request.
        let changesProtocol = head.headers.contains(name: "upgrade")
        exchanges.append(
            Exchange(isKeptAlive: head.isKeepAlive && !changesProtocol, isOld: head.version == .http1_0))
        isReading = true
        isAwaited = RequestRules.expectsContinue(head)
        return .pass
    }

    mutating func receivedBody() -> Inbound {
        isAwaited = false
        return isReading ? .pass : .drop
    }

    mutating func receivedEnd() -> Inbound {
        guard isReading else { return .drop }
        (isReading, isAwaited) = (false, false)
        if exchanges.last?.isKeptAlive == false { isOver = true }
        return .pass
    }

    /// Handles an error of the HTTP parser.
    ///
    /// An error within a body goes to the reader of the body. For any other error, the service refuses the request.
    mutating func failed(_ error: HTTPParserError, isRequestLine: Bool) -> Inbound {
        guard !isOver else { return .drop }
        guard isReading else { return refused(RequestRules.refusal(error, isRequestLine: isRequestLine)) }
        isOver = true
        return .pass
    }

    /// Records that the body of the newest request did not arrive in time, so that the service reads no more of it.
    mutating func ranOut() { (isReading, isAwaited, isOver) = (false, false, true) }

    /// Returns whether status 100 must be written now, because the service is about to read the request's body.
    mutating func wantsBody() -> Bool {
        defer { isAwaited = false }
        return isAwaited && exchanges.count == 1
    }

    /// Sets the header `Connection` of an answer: `close` on the connection's last answer, `keep-alive` for a client of HTTP/1.0
    /// ([RFC 9112 §9.6](https://www.rfc-editor.org/rfc/rfc9112#section-9.6)).
    mutating func answers(_ head: inout HTTPResponseHead) {
        guard head.status.code >= 200, let exchange = exchanges.first else { return }
        // If the service does not read all of the body, it cannot tell the rest of the body from the next request.
        if exchanges.count == 1, isReading { (isReading, isOver) = (false, true) }
        // HTTP/1.0 has no chunked coding, so the end of the connection marks the end of the body.
        let isEndless = exchange.isOld && !head.headers.contains(name: "content-length")
        if isEndless {
            head.version = .http1_0
            isOver = true
            exchanges.removeSubrange(1...)
            refusal = nil
        }
        if exchanges.count == 1, isOver, refusal == nil {
            head.headers.replaceOrAdd(name: "connection", value: "close")
        } else if exchange.isOld {
            head.headers.replaceOrAdd(name: "connection", value: "keep-alive")
        }
    }

    mutating func answered() -> Outbound {
        if !exchanges.isEmpty { exchanges.removeFirst() }
        guard isOver, exchanges.isEmpty else { return .goOn }
        defer { refusal = nil }
        return refusal.map { .refuse($0) } ?? .close
    }

    /// Refuses a request, once the requests before it are answered.
    private mutating func refused(_ problem: Problem) -> Inbound {
        isOver = true
        guard exchanges.isEmpty else {
            refusal = problem
            return .drop
        }
        return .refuse(problem)
    }
}
