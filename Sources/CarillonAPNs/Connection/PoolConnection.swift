import CarillonCore
import NIOCore

/// The pool's record of one connection: its phase, its streams, and its room for more.
struct PoolConnection: Sendable {
    enum Phase: Sendable, Hashable {
        /// Connecting: from the attempt to connect to the server's first SETTINGS.
        case connecting
        /// Takes requests.
        case ready
        /// Takes no more requests; the pool awaits the answers to those in flight.
        case draining
    }

    struct Stream: Sendable {
        let request: RequestID
        let token: IssuedProviderToken?
        /// The time since which its answer is awaited (steady).
        let openedAt: Timestamp
    }

    /// An answer that is not complete yet.
    struct PartialAnswer: Sendable {
        var head: APNsAnswerHead?
        var body = ByteBuffer()
    }

    /// RFC 9113 §5.1.1: ids are 31 bits; a connection that has used them up cannot open another stream.
    static let lastStreamID = StreamID(Int32.max) - 2
    /// The size of the largest body, that of a `voip` push, in bytes.
    static let largestBody = 5120

    let id: ConnectionID
    /// The number of the credential that it was opened with.
    let credentialGeneration: Int
    let openedAt: Timestamp
    var phase = Phase.connecting
    /// The step at which the attempt to connect waits; ``stepSince`` is the time (steady) since when.
    private(set) var step: ConnectStep?
    private(set) var stepSince: Timestamp
    /// The server's SETTINGS_MAX_CONCURRENT_STREAMS, bounded by the client's own limit; it may change at any time.
    private(set) var allowedStreams = 0
    /// The number of streams that are used at most.
    ///
    /// It is less than ``allowedStreams`` after a REFUSED_STREAM, which says that the server had enough; every answer then
    /// allows one more again.
    private(set) var streamLimit = 0
    var isWritable = true
    /// The bytes of bodies that the server takes at this moment, over all streams
    /// ([RFC 9113 §6.9](https://www.rfc-editor.org/rfc/rfc9113#section-6.9)).
    var sendWindow = 65_535
    private(set) var streams: [StreamID: Stream] = [:]
    /// The answers that have begun and are not complete: few, because most answers are one frame.
    private var partialAnswers: [StreamID: PartialAnswer] = [:]
    var nextStreamID: StreamID = 1
    /// The token that its requests carry; ``tokenTakenAt`` is the time (steady) since when.
    var token: IssuedProviderToken?
    var tokenTakenAt: Timestamp
    /// The time (steady) of its last sign of life, or at which it became busy.
    var quietSince: Timestamp
    /// The time (steady) at which it last became idle.
    var idleSince: Timestamp
    var pingSentAt: Timestamp?
    /// Whether APNs has answered a request on it, and not complained about the connection.
    ///
    /// Only then has it proved useful, and its loss is no reason to wait before the next attempt.
    var isProven = false
    /// The time (steady) of the last answer to a request on it.
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

    /// The number of further requests that it takes at this moment.
    ///
    /// A request goes out when the server's window has room for any body: one that got stuck half-way would be answered
    /// after all later ones, and hold up NIO's tables meanwhile. A window that is never that large does not keep the
    /// connection from work.
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

    /// Returns the time (steady) at which something is to be done if nothing happens on it until then.
    ///
    /// - Parameters:
    ///   - limits: the client's limits.
    ///   - openCount: the number of ready connections; the only one is kept however long it is idle.
    /// - Returns: the end of the connect timeout, the time of the next PING or of its answer, or the end of idleness.
    func nextDeadline(_ limits: APNsLimits, openCount: Int) -> Timestamp {
        if phase == .connecting { return openedAt + limits.connectTimeout }
        if let pingSentAt { return pingSentAt + limits.pingTimeout }
        if isBusy { return quietSince + limits.silenceBeforePing }
        let ping = quietSince + limits.idlePing
        return openCount > 1 ? min(ping, idleSince + limits.idleBeforeClose) : ping
    }

    /// Returns whether an answer on it, while it has many streams, came late.
    ///
    /// One connection that takes all streams may still answer late: APNs has been seen to take tens of seconds at 1000 a
    /// second (pushy #399). On a connection with few streams, another connection would not help.
    func isSlow(answeringAfter latency: Duration, _ limits: APNsLimits) -> Bool {
        latency > limits.congestionBeforeGrowth && streams.count >= ClientLimits.streamsWorthSpreading
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

    /// Takes a header block of an answer.
    ///
    /// - Returns: the answer, if it is complete.
    mutating func took(_ head: APNsAnswerHead?, isLast: Bool, on stream: StreamID) -> PartialAnswer? {
        var answer = partialAnswer(on: stream)
        // RFC 9113 §8.1: 1xx blocks come before the answer proper; a block after the head is a trailer.
        if let head, head.status >= 200, answer.head == nil { answer.head = head }
        guard !isLast else { return answer }
        keep(answer, on: stream)
        return nil
    }

    /// Takes a part of an answer's body.
    ///
    /// - Parameters:
    ///   - bytes: the part.
    ///   - isLast: whether it ends the answer.
    ///   - stream: the stream that the part came on.
    ///   - byteLimit: the most bytes of a body that are kept.
    /// - Returns: the answer, if it is complete, or its body too long on an open stream; and whether it is the latter.
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

    /// Keeps an incomplete answer, unless its stream has ended.
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

    /// Whether no request has been answered since this stream was opened; answers to PINGs do not count.
    func isMute(since stream: StreamID) -> Bool {
        guard let opened = streams[stream]?.openedAt else { return false }
        return lastAnswerAt.map { $0 <= opened } ?? true
    }
}
