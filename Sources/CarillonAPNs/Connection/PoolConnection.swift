import CarillonCore
import NIOCore

/// The pool's record of one connection: its phase, its streams, and its room for further requests.
struct PoolConnection: Sendable {
    enum Phase: Sendable, Hashable {
        /// The client is connecting; this phase ends when the server's first SETTINGS arrive.
        case connecting
        /// The connection is ready for requests.
        case ready
        /// The connection takes no more requests, and awaits the answers to the requests in flight.
        case draining
    }

    struct Stream: Sendable {
        let request: RequestID
        let token: IssuedProviderToken?
        /// The time on the monotonic clock at which the request was sent.
        let openedAt: Timestamp
    }

    /// An answer that is not complete yet.
    struct PartialAnswer: Sendable {
        var head: APNsAnswerHead?
        var body = ByteBuffer()
    }

    /// The last stream id that a connection uses.
    ///
    /// Ids have 31 bits. A connection that has used all ids cannot open another stream (RFC 9113 §5.1.1).
    static let lastStreamID = StreamID(Int32.max) - 2
    /// The size in bytes of the largest body: a `voip` push.
    static let largestBody = 5120

    let id: ConnectionID
    /// The number of the credential with which the connection was opened: 0 for the client's first credential.
    let credentialGeneration: Int
    let openedAt: Timestamp
    var phase = Phase.connecting
    /// The step at which the attempt to connect is waiting; `nil` if it has reached none.
    ///
    /// ``stepSince`` is the time on the monotonic clock at which this step began.
    private(set) var step: ConnectStep?
    private(set) var stepSince: Timestamp
    /// The server's SETTINGS_MAX_CONCURRENT_STREAMS, limited to the client's own maximum.
    ///
    /// The server may change this value at any time.
    private(set) var allowedStreams = 0
    /// The greatest number of streams to use now.
    ///
    /// After REFUSED_STREAM, the limit is less than ``allowedStreams``; each answer increases it by one.
    private(set) var streamLimit = 0
    var isWritable = true
    /// The number of body bytes that the server accepts now, over all streams
    /// ([RFC 9113 §6.9](https://www.rfc-editor.org/rfc/rfc9113#section-6.9)).
    var sendWindow = 65_535
    private(set) var streams: [StreamID: Stream] = [:]
    /// The answers that have begun and are not complete.
    ///
    /// There are few of them, because most answers consist of one frame.
    private var partialAnswers: [StreamID: PartialAnswer] = [:]
    var nextStreamID: StreamID = 1
    /// The token that the connection's requests carry.
    ///
    /// ``tokenTakenAt`` is the time on the monotonic clock at which the connection started to use the token.
    var token: IssuedProviderToken?
    var tokenTakenAt: Timestamp
    /// The later of two times on the monotonic clock: the server's last frame, and the last time that the connection became busy.
    var quietSince: Timestamp
    /// The time on the monotonic clock at which the connection last became idle.
    var idleSince: Timestamp
    var pingSentAt: Timestamp?
    /// Whether APNs has answered a request on the connection, not counting errors about the connection or its token.
    ///
    /// If `true`, the loss of the connection does not delay the next attempt to connect.
    var isProven = false
    /// The time on the monotonic clock of the last answer on the connection.
    private var lastAnswerAt: Timestamp?

    init(id: ConnectionID, credentialGeneration: Int, at now: ClockReading) {
        self.id = id
        self.credentialGeneration = credentialGeneration
        openedAt = now.steady
        stepSince = now.steady
        tokenTakenAt = now.steady
        quietSince = now.steady
        idleSince = now.steady
    }

    /// The number of further requests that the connection can take now.
    ///
    /// The pool sends a request only if the server's window has room for the largest body. With less room, a body could stop
    /// half-way, and its request would occupy a stream until the server opens the window. If no stream is open, the window does
    /// not matter, so that the client can use a server with a small window too.
    var room: Int {
        guard phase == .ready, isWritable, sendWindow >= Self.largestBody || streams.isEmpty else { return 0 }
        return max(0, streamLimit - streams.count)
    }

    var isBusy: Bool { !streams.isEmpty }

    /// The reason why the connection accepts no request although no request is in flight; otherwise `nil`.
    ///
    /// A server may allow no streams for a short time
    /// ([RFC 9113 §6.5.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.5.2)).
    var uselessness: String? {
        guard phase == .ready, streams.isEmpty, room == 0 else { return nil }
        return isWritable
            ? "APNs allows no requests on its connection (SETTINGS_MAX_CONCURRENT_STREAMS is 0)"
            : "APNs reads nothing from its connection"
    }

    mutating func reached(_ step: ConnectStep, at now: ClockReading) {
        guard phase == .connecting else { return }
        self.step = step
        stepSince = now.steady
    }

    /// Takes a token for the next request, unless the present one may stay.
    mutating func provideToken(from tokens: inout ProviderTokens, at now: ClockReading) {
        if let token, !tokens.mustChange(token, takenAt: tokenTakenAt, at: now) { return }
        token = tokens.take(at: now)
        tokenTakenAt = now.steady
    }

    mutating func open(_ request: RequestID, byteCount: Int, at now: ClockReading) -> StreamID {
        let stream = nextStreamID
        nextStreamID += 2
        sendWindow -= byteCount
        if streams.isEmpty { quietSince = now.steady }
        streams[stream] = Stream(request: request, token: token, openedAt: now.steady)
        if nextStreamID >= Self.lastStreamID { phase = .draining }
        return stream
    }

    mutating func close(_ stream: StreamID, at now: ClockReading) -> Stream? {
        guard let closed = streams.removeValue(forKey: stream) else { return nil }
        if !partialAnswers.isEmpty { partialAnswers[stream] = nil }
        if streams.isEmpty { idleSince = now.steady }
        return closed
    }

    mutating func forgetStreams() {
        streams = [:]
        partialAnswers = [:]
    }

    func request(on stream: StreamID) -> RequestID? { streams[stream]?.request }

    /// The head of an answer that is not complete yet; `nil` if none has come.
    func head(of stream: StreamID) -> APNsAnswerHead? {
        partialAnswers.isEmpty ? nil : partialAnswers[stream]?.head
    }

    func hasHead(of stream: StreamID) -> Bool { head(of: stream) != nil }

    /// Handles a header block of an answer.
    ///
    /// - Returns: the answer if it is complete; otherwise `nil`.
    mutating func took(_ head: APNsAnswerHead?, isLast: Bool, on stream: StreamID) -> PartialAnswer? {
        var answer = partialAnswer(on: stream)
        // RFC 9113 §8.1: 1xx blocks come before the answer proper; a block after the head is a trailer.
        if let head, head.status >= 200, answer.head == nil { answer.head = head }
        guard !isLast else { return answer }
        keep(answer, on: stream)
        return nil
    }

    /// Handles a part of an answer's body.
    ///
    /// - Parameters:
    ///   - bytes: the part.
    ///   - isLast: whether this part ends the answer.
    ///   - stream: the stream of the answer.
    ///   - byteLimit: the greatest number of body bytes to keep.
    /// - Returns: `answer`, the whole answer, or `nil` if further parts must come; and `isTooLong`, whether the body is
    ///   longer than `byteLimit`. An answer whose body is too long is cut off and returned at once.
    mutating func took(
        _ bytes: ByteBuffer, isLast: Bool, on stream: StreamID, byteLimit: Int
    ) -> (answer: PartialAnswer?, isTooLong: Bool) {
        var answer = partialAnswer(on: stream)
        let room = max(0, byteLimit - answer.body.readableBytes)
        if bytes.readableBytes > 0, room > 0,
            var taken = bytes.getSlice(at: bytes.readerIndex, length: min(bytes.readableBytes, room))
        {
            answer.body.writeBuffer(&taken)
        }
        if isLast { return (answer, false) }
        if bytes.readableBytes > room, streams[stream] != nil { return (answer, true) }
        if bytes.readableBytes > 0 { keep(answer, on: stream) }
        return (nil, false)
    }

    private func partialAnswer(on stream: StreamID) -> PartialAnswer {
        partialAnswers.isEmpty ? PartialAnswer() : partialAnswers[stream] ?? PartialAnswer()
    }

    /// Stores an incomplete answer, unless its stream has ended.
    private mutating func keep(_ answer: PartialAnswer, on stream: StreamID) {
        if streams[stream] != nil { partialAnswers[stream] = answer }
    }

    mutating func showedLife(at now: ClockReading) {
        quietSince = now.steady
        pingSentAt = nil
    }

    mutating func allow(streams: Int) {
        allowedStreams = streams
        streamLimit = streams
    }

    mutating func wasRefusedAStream() { streamLimit = min(streamLimit, max(1, streams.count)) }

    mutating func answered(at now: ClockReading) {
        streamLimit = min(streamLimit + 1, allowedStreams)
        lastAnswerAt = now.steady
    }

    /// Returns whether APNs has answered no request on the connection since this stream was opened.
    ///
    /// Answers to PINGs do not count.
    func isMute(since stream: StreamID) -> Bool {
        guard let opened = streams[stream]?.openedAt else { return false }
        return lastAnswerAt.map { $0 <= opened } ?? true
    }
}

/// The checks of a connection's health.
extension PoolConnection {
    /// A state of the connection that the pool must act on.
    enum Finding: Equatable {
        /// The connection is unusable, for the given reason.
        case isDead(why: String)
        /// The connection is one of several and has had nothing to do for a while, so the pool must close it.
        case isIdle
        /// Nothing has come from the server for a while, so the client must send a PING.
        case isQuiet
    }

    /// Returns the time on the monotonic clock from which ``check(at:_:isOneOfSeveral:)`` returns a ``Finding``.
    func nextCheck(_ limits: APNsLimits, isOneOfSeveral: Bool) -> Timestamp {
        if phase == .connecting { return openedAt + limits.connectTimeout }
        if let pingSentAt { return pingSentAt + limits.pingTimeout }
        if isBusy { return quietSince + limits.silenceBeforePing }
        let ping = quietSince + limits.idlePing
        return isOneOfSeveral ? min(ping, idleSince + limits.idleBeforeClose) : ping
    }

    /// Checks the connection's health at a time on the monotonic clock; returns `nil` if the pool need not act.
    func check(at now: Timestamp, _ limits: APNsLimits, isOneOfSeveral: Bool) -> Finding? {
        guard nextCheck(limits, isOneOfSeveral: isOneOfSeveral) <= now else { return nil }
        if phase == .connecting {
            return .isDead(why: step?.sentence(after: now - stepSince) ?? "connecting took too long")
        }
        if pingSentAt != nil { return .isDead(why: "no answer to a PING") }
        if !isBusy, isOneOfSeveral, now >= idleSince + limits.idleBeforeClose { return .isIdle }
        return .isQuiet
    }

    /// Returns whether an answer with this latency shows that the connection has too many streams.
    ///
    /// A single connection that takes all streams may answer late: APNs has been seen to take tens of seconds at 1000 pushes a
    /// second (pushy #399). If a connection has few streams, a further connection would not help.
    func isSlow(_ latency: Duration, _ limits: APNsLimits) -> Bool {
        latency > limits.congestionBeforeGrowth && streams.count >= ClientLimits.streamsWorthSpreading
    }
}
