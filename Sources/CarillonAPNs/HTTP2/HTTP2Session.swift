import NIOCore
import NIOHPACK

/// The client's side of HTTP/2 on one connection: converts bytes into events, and requests into bytes.
///
/// The session is a value without side effects: it opens no socket and reads no clock, so that a test can feed it byte by byte.
///
/// The session implements [RFC 9113](https://www.rfc-editor.org/rfc/rfc9113) for a connection: the preface, SETTINGS and their
/// acknowledgement, both flow-control windows, PING, header compression and frame order. If the server breaks a rule, the
/// connection ends with the RFC's error code. ``Pool`` knows which streams are open and which answers are awaited. An answer of
/// APNs is one or two frames, so the session keeps no state of a stream, except for a body that waits for room in the server's
/// window.
struct HTTP2Session: Sendable {
    enum Event: Sendable, Equatable {
        /// A header block: the head of an answer, or `nil` for a block without a status, such as trailers.
        case head(StreamID, APNsAnswerHead?, isLast: Bool)
        case body(StreamID, ByteBuffer, isLast: Bool)
        case reset(StreamID, HTTP2Code)
        /// SETTINGS from the server.
        ///
        /// - Parameter streamLimit: MAX_CONCURRENT_STREAMS; `nil` if the frame does not contain it.
        case settings(streamLimit: Int?)
        /// The server accepts `byteCount` more bytes of request bodies on this connection.
        case windowOpened(byteCount: Int)
        case goAway(lastStream: StreamID, HTTP2Code, debugData: ByteBuffer)
        case pong
    }

    /// The size, in bytes, of the receive window of a connection and of each stream ([RFC 9113
    /// §6.9.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.9.2)).
    ///
    /// The session opens the connection's window again when half of that window is used, and a stream's window only if a long
    /// answer may come.
    static let windowByteCount = 65_535

    /// The bytes to write to the server, in order.
    ///
    /// The connection's handler removes the bytes when it writes them.
    var outgoing = ByteBuffer()

    private var reader = FrameReader()
    private var encoder = HeaderEncoder()
    private var decoder: HPACKDecoder
    private var sending = SendWindows()
    private var hasSettings = false
    private var lastStream: StreamID = -1
    private var receiveWindow = Self.windowByteCount
    private var unreadReplies = 0
    /// The streams whose answer may be longer than a stream's initial window.
    private var longAnswers: Set<StreamID> = []

    init() {
        decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(), maxDynamicTableSize: HPACKDecoder.maxDynamicTableSize,
            maxHeaderListSize: ClientLimits.headerListByteLimit)
        outgoing.writeString(ByteBuffer.clientPreface)
        outgoing.writeSettings([
            Setting(name: .enablePush, value: 0),
            Setting(name: .maxHeaderListSize, value: UInt32(ClientLimits.headerListByteLimit)),
        ])
    }

    // MARK: Requests from the client

    /// Opens a stream with a notification.
    ///
    /// The session sends as much of the body as the server's windows have room for, and the rest when the windows open again.
    ///
    /// - Parameters:
    ///   - stream: an id that is higher than all earlier stream ids.
    ///   - notification: the push.
    ///   - authority: the host and port of the endpoint.
    ///   - authorization: the header field with the provider token; `nil` if the credential is a certificate.
    mutating func open(
        _ stream: StreamID, _ notification: APNsNotification, authority: String, authorization: ByteBuffer?
    ) {
        lastStream = stream
        let start = outgoing.writerIndex
        outgoing.writeFrameHead(length: 0, type: .headers, flags: FrameFlag.endHeaders, stream: stream)
        encoder.encode(notification, authority: authority, authorization: authorization, into: &outgoing)
        outgoing.completeFrame(at: start, type: .headers)
        sending.send(notification.payload.buffer, on: stream, into: &outgoing)
    }

    /// Opens a stream with a broadcast or a request about channels.
    ///
    /// - Parameters:
    ///   - stream: an id that is higher than all earlier stream ids.
    ///   - request: the broadcast or the request about channels.
    ///   - authority: the host and port of the endpoint.
    ///   - authorization: the header field with the provider token; `nil` if the credential is a certificate.
    mutating func open(
        _ stream: StreamID, _ request: ChannelRequest, authority: String, authorization: ByteBuffer?
    ) {
        lastStream = stream
        let isComplete = request.body.readableBytes == 0
        let flags = FrameFlag.endHeaders | (isComplete ? FrameFlag.endStream : 0)
        let start = outgoing.writerIndex
        outgoing.writeFrameHead(length: 0, type: .headers, flags: flags, stream: stream)
        encoder.encode(request, authority: authority, authorization: authorization, into: &outgoing)
        outgoing.completeFrame(at: start, type: .headers)
        if request.answerByteLimit > Self.windowByteCount { longAnswers.insert(stream) }
        if !isComplete { sending.send(request.body, on: stream, into: &outgoing) }
    }

    /// Resets a stream with CANCEL, because the caller no longer awaits its answer.
    ///
    /// - Returns: the number of bytes of the request's body that will not be sent.
    mutating func reset(_ stream: StreamID) -> Int {
        outgoing.writeReset(stream: stream, .cancel)
        return forget(stream)
    }

    mutating func ping(_ data: UInt64) { outgoing.writePing(data, isAcknowledgement: false) }

    mutating func goAway(_ code: HTTP2Code) { outgoing.writeGoAway(code) }

    /// Resets the count of the client's unread replies to PING and SETTINGS frames.
    ///
    /// Call this method when the server reads the client's bytes. If more than ``ClientLimits/unreadReplyLimit`` replies are
    /// unread, ``next()`` throws an error.
    mutating func outgoingWasRead() { unreadReplies = 0 }

    /// The streams whose requests' bodies wait for room in the server's windows.
    var waitingBodies: [StreamID] { sending.waitingStreams }

    // MARK: Frames from the server

    mutating func append(_ bytes: ByteBuffer) { reader.append(bytes) }

    /// Returns the next event in the bytes received so far; `nil` if there is none.
    mutating func next() throws(HTTP2Violation) -> Event? {
        while let frame = try reader.next() {
            if let event = try received(frame) { return event }
        }
        return nil
    }

    private mutating func received(_ frame: InboundFrame) throws(HTTP2Violation) -> Event? {
        try checkOpening(frame)
        switch frame {
        case .headers(let stream, let block, let endStream):
            return try received(block, on: stream, isLast: endStream)
        case .data(let stream, let bytes, let windowByteCount, let endStream):
            try demandOpened(stream, "DATA")
            try consume(windowByteCount)
            if endStream {
                end(stream)
            } else if !longAnswers.isEmpty, windowByteCount > 0, longAnswers.contains(stream) {
                outgoing.writeWindowUpdate(stream: stream, increment: windowByteCount)
            }
            return .body(stream, bytes, isLast: endStream)
        case .reset(let stream, let code):
            try demandOpened(stream, "RST_STREAM")
            return .reset(stream, code)
        case .settings(let settings): return try received(settings)
        case .ping(let data):
            try countReply()
            outgoing.writePing(data, isAcknowledgement: true)
            return nil
        case .pong: return .pong
        case .goAway(let last, let code, let debugData):
            return .goAway(lastStream: last, code, debugData: debugData)
        case .windowUpdate(let stream, let increment): return try windowOpened(stream, increment)
        case .settingsAcknowledged, .nothing: return nil
        }
    }

    /// Checks that the server's first frame is SETTINGS ([RFC 9113 §3.4](https://www.rfc-editor.org/rfc/rfc9113#section-3.4)).
    ///
    /// A GOAWAY before SETTINGS is accepted, because some servers send one.
    private mutating func checkOpening(_ frame: InboundFrame) throws(HTTP2Violation) {
        guard !hasSettings else { return }
        switch frame {
        case .settings: hasSettings = true
        case .goAway: break
        default: throw HTTP2Violation(.protocolError, "the server's first frame was not SETTINGS")
        }
    }

    private mutating func received(
        _ block: ByteBuffer, on stream: StreamID, isLast: Bool
    ) throws(HTTP2Violation) -> Event {
        try demandOpened(stream, "HEADERS")
        var block = block
        let headers: HPACKHeaders
        do {
            headers = try decoder.decodeHeaders(from: &block)
        } catch is NIOHPACKErrors.MaxHeaderListSizeViolation {
            // Ends the connection, because decoding stopped half-way and left the table incomplete.
            throw HTTP2Violation(
                .enhanceYourCalm, "the server sent headers of more than \(ClientLimits.headerListByteLimit) bytes")
        } catch {
            throw HTTP2Violation(.compressionError, "the server's header block cannot be decoded: \(error)")
        }
        if isLast { end(stream) }
        return .head(stream, APNsAnswerHead(headers), isLast: isLast)
    }

    private mutating func received(_ settings: [Setting]) throws(HTTP2Violation) -> Event {
        try countReply()
        var streamLimit: Int?
        for setting in settings {
            switch setting.name {
            case .headerTableSize: encoder.allowTable(byteCount: Int(setting.value))
            case .maxConcurrentStreams: streamLimit = Int(setting.value)
            case .initialWindowSize: try sending.setInitialWindow(Int(setting.value))
            case .maxFrameSize:
                guard (16_384...16_777_215).contains(setting.value) else {
                    throw HTTP2Violation(.protocolError, "the server set MAX_FRAME_SIZE to \(setting.value)")
                }
            case .enablePush:
                guard setting.value == 0 else {
                    throw HTTP2Violation(.protocolError, "the server set ENABLE_PUSH to \(setting.value)")
                }
            case .maxHeaderListSize: break
            }
        }
        outgoing.writeSettingsAcknowledgement()
        sending.sendWhatHasRoom(into: &outgoing)
        return .settings(streamLimit: streamLimit)
    }

    private mutating func windowOpened(_ stream: StreamID, _ increment: Int) throws(HTTP2Violation) -> Event? {
        if stream == 0 {
            try sending.open(by: increment)
            sending.sendWhatHasRoom(into: &outgoing)
            return .windowOpened(byteCount: increment)
        }
        try demandOpened(stream, "WINDOW_UPDATE")
        guard let code = sending.open(stream, by: increment) else {
            sending.sendWhatHasRoom(into: &outgoing)
            return nil
        }
        outgoing.writeReset(stream: stream, code)
        return .reset(stream, code)
    }

    /// Ends a stream whose answer is complete.
    ///
    /// If part of the request's body still waits to be sent, RST_STREAM tells the server that this part will not come ([RFC
    /// 9113 §8.1](https://www.rfc-editor.org/rfc/rfc9113#section-8.1)).
    private mutating func end(_ stream: StreamID) {
        if sending.isWaiting(stream) { outgoing.writeReset(stream: stream, .cancel) }
    }

    /// Forgets an ended stream, and returns the number of bytes of the request's body that will not be sent.
    mutating func forget(_ stream: StreamID) -> Int {
        if !longAnswers.isEmpty { longAnswers.remove(stream) }
        return sending.forget(stream)
    }

    private func demandOpened(_ stream: StreamID, _ name: String) throws(HTTP2Violation) {
        guard stream <= lastStream, !stream.isMultiple(of: 2) else {
            throw HTTP2Violation(.protocolError, "the server sent \(name) on stream \(stream), which was never opened")
        }
    }

    private mutating func consume(_ byteCount: Int) throws(HTTP2Violation) {
        receiveWindow -= byteCount
        guard receiveWindow >= 0 else {
            throw HTTP2Violation(.flowControlError, "the server sent more than the connection's window allows")
        }
        guard receiveWindow < Self.windowByteCount / 2 else { return }
        outgoing.writeWindowUpdate(stream: 0, increment: Self.windowByteCount - receiveWindow)
        receiveWindow = Self.windowByteCount
    }

    private mutating func countReply() throws(HTTP2Violation) {
        unreadReplies += 1
        guard unreadReplies <= ClientLimits.unreadReplyLimit else {
            throw HTTP2Violation(
                .enhanceYourCalm, "the server sent \(unreadReplies) PINGs and SETTINGS without reading the answers")
        }
    }
}
