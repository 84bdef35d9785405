import CarillonCore
import NIOCore

/// The pool's record of one connection: its phase, its streams, and its room for more.
struct PoolConnection: Sendable {
    enum Phase: Sendable, Hashable {
        /// From the attempt to connect until the server's first SETTINGS.
        case connecting
        /// Ready for requests.
        case ready
        /// Awaiting the answers to requests in flight, without taking more.
        case draining
    }

    struct Stream: Sendable {
        let request: RequestID
        let token: IssuedProviderToken?
        /// The time (steady) at which the request was sent.
        let openedAt: Timestamp
    }

    /// An answer that is not complete yet.
    struct PartialAnswer: Sendable {
        var head: APNsAnswerHead?
        var body = ByteBuffer()
    }

    /// The last stream id that a connection uses.
    ///
    /// Ids have 31 bits, and a connection that has used them up cannot open another stream (RFC 9113 §5.1.1).
    static let lastStreamID = StreamID(Int32.max) - 2
    /// The size in bytes of the largest body: a `voip` push.
    static let largestBody = 5120

    let id: ConnectionID
    /// The number of the credential with which the connection was opened.
    let credentialGeneration: Int
    let openedAt: Timestamp
    var phase = Phase.connecting
    /// The step at which the attempt to connect waits; ``stepSince`` is the time (steady) since when.
    private(set) var step: ConnectStep?
    private(set) var stepSince: Timestamp
    /// The server's SETTINGS_MAX_CONCURRENT_STREAMS, limited to the client's own maximum.
    ///
    /// The server may change it at any time.
    private(set) var allowedStreams = 0
    /// The greatest number of streams to use now.
    ///
    /// After REFUSED_STREAM it is less than ``allowedStreams``; each answer increases it by one.
    private(set) var streamLimit = 0
    var isWritable = true
    /// The number of body bytes that the server accepts now, over all streams
    /// ([RFC 9113 §6.9](https://www.rfc-editor.org/rfc/rfc9113#section-6.9)).
    var sendWindow = 65_535
    private(set) var streams: [StreamID: Stream] = [:]
    /// The answers that have begun and are not complete.
    ///
    /// They are few, because most answers are one frame.
    private var partialAnswers: [StreamID: PartialAnswer] = [:]
    var nextStreamID: StreamID = 1
    /// The token that the connection's requests carry.
    ///
    /// ``tokenTakenAt`` is the time (steady) since which it uses the token.
    var token: IssuedProviderToken?
    var tokenTakenAt: Timestamp
    /// The time (steady) at which a frame last came from the server or the connection last became busy, whichever is later.
    var quietSince: Timestamp
    /// The time (steady) at which the connection last became idle.
    var idleSince: Timestamp
    var pingSentAt: Timestamp?
    /// Whether APNs has answered a request on the connection without complaining about the connection.
    ///
    /// If so, the loss of the connection does not delay the next attempt to connect.
    var isProven = false
    /// The time (steady) of the last answer on the connection.
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
    /// A request goes out only if the server's window has room for the largest body. A request whose body stops half-way
    /// occupies a stream until the server opens its window. If no stream is open, the window does not matter, so that a server
    /// with a small window is still used.
    var room: Int {
        guard phase == .ready, isWritable, sendWindow >= Self.largestBody || streams.isEmpty else { return 0 }
        return max(0, streamLimit - streams.count)
    }

    var isBusy: Bool { !streams.isEmpty }

    /// The reason for which it takes no request although none is in flight; `nil` while it takes requests, or has some.
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
    /// - Returns: the answer if it is complete or its body is too long; and whether the body is too long on an open stream.
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

    /// Returns whether no request has been answered since this stream was opened.
    ///
    /// Answers to PINGs do not count.
    func isMute(since stream: StreamID) -> Bool {
        guard let opened = streams[stream]?.openedAt else { return false }
        return lastAnswerAt.map { $0 <= opened } ?? true
    }
}

/// The checks of a connection's health.
extension PoolConnection {
    /// The result of a check that demands something.
    enum Finding: Equatable {
        /// The connection is no use any more, for this reason.
        case isDead(why: String)
        /// The connection is one of several and has had nothing to do for a while.
        case isIdle
        /// Nothing has come from the server for a while, so a PING is to be sent.
        case isQuiet
    }

    /// Returns the next time (steady) at which ``check(at:_:isOneOfSeveral:)`` has a finding.
    func nextCheck(_ limits: APNsLimits, isOneOfSeveral: Bool) -> Timestamp {
        if phase == .connecting { return openedAt + limits.connectTimeout }
        if let pingSentAt { return pingSentAt + limits.pingTimeout }
        if isBusy { return quietSince + limits.silenceBeforePing }
        let ping = quietSince + limits.idlePing
        return isOneOfSeveral ? min(ping, idleSince + limits.idleBeforeClose) : ping
    }

    /// Returns the finding at this time (steady); `nil` if nothing is to be done yet.
    func check(at now: Timestamp, _ limits: APNsLimits, isOneOfSeveral: Bool) -> Finding? {
        guard nextCheck(limits, isOneOfSeveral: isOneOfSeveral) <= now else { return nil }
        if phase == .connecting {
            return .isDead(why: step?.sentence(after: now - stepSince) ?? "connecting took too long")
        }
        if pingSentAt != nil { return .isDead(why: "no answer to a PING") }
        if !isBusy, isOneOfSeveral, now >= idleSince + limits.idleBeforeClose { return .isIdle }
        return .isQuiet
    }

    /// Returns whether an answer after this time shows that the connection has too many streams.
    ///
    /// A single connection that takes all streams may answer late: APNs has been seen to take tens of seconds at 1000 pushes a
    /// second (pushy #399). On a connection with few streams, another connection would not help.
    func isSlow(_ latency: Duration, _ limits: APNsLimits) -> Bool {
        latency > limits.congestionBeforeGrowth && streams.count >= ClientLimits.streamsWorthSpreading
    }
}
