import NIOCore

/// The flow-control windows for requests' bodies, and the bodies that wait for room ([RFC 9113
/// §5.2](https://www.rfc-editor.org/rfc/rfc9113#section-5.2)).
///
/// Nearly every push's body fits into a stream's initial window; such a body is written at once and never stored.
struct SendWindows: Sendable {
    /// The largest allowed window ([RFC 9113 §6.9.1](https://www.rfc-editor.org/rfc/rfc9113#section-6.9.1)).
    static let largestWindow = Int(Int32.max)
    /// The largest frame to send, in bytes.
    ///
    /// Every server accepts at least this size.
    static let frameByteLimit = 16_384

    private struct Waiting: Sendable {
        let stream: StreamID
        var body: ByteBuffer
        /// The number of bytes that the server still accepts on the stream.
        ///
        /// The number is negative if SETTINGS have reduced the initial window far enough.
        var window: Int
    }

    private(set) var connectionWindow = 65_535
    private var initialWindow = 65_535
    /// The bodies that wait because a flow-control window has no room, in the order of their stream ids.
    private var waiting: [Waiting] = []

    /// Writes as much of a body as the windows have room for.
    ///
    /// The rest of the body waits until a window opens.
    mutating func send(_ body: ByteBuffer, on stream: StreamID, into buffer: inout ByteBuffer) {
        let count = body.readableBytes
        if waiting.isEmpty, count <= connectionWindow, count <= initialWindow, count <= Self.frameByteLimit {
            connectionWindow -= count
            buffer.writeFrameHead(length: count, type: .data, flags: FrameFlag.endStream, stream: stream)
            buffer.writeImmutableBuffer(body)
            return
        }
        waiting.append(Waiting(stream: stream, body: body, window: initialWindow))
        sendWhatHasRoom(into: &buffer)
    }

    /// Writes the waiting bodies in the order of their streams, as far as the windows have room.
    mutating func sendWhatHasRoom(into buffer: inout ByteBuffer) {
        guard !waiting.isEmpty, connectionWindow > 0 else { return }
        for index in waiting.indices {
            while connectionWindow > 0, waiting[index].window > 0, waiting[index].body.readableBytes > 0 {
                writePart(at: index, into: &buffer)
            }
        }
        waiting.removeAll { $0.body.readableBytes == 0 }
    }

    private mutating func writePart(at index: Int, into buffer: inout ByteBuffer) {
        let room = min(connectionWindow, waiting[index].window, Self.frameByteLimit)
        guard let part = waiting[index].body.readSlice(length: min(room, waiting[index].body.readableBytes)) else {
            return
        }
        connectionWindow -= part.readableBytes
        waiting[index].window -= part.readableBytes
        let isLast = waiting[index].body.readableBytes == 0
        buffer.writeFrameHead(
            length: part.readableBytes, type: .data, flags: isLast ? FrameFlag.endStream : 0,
            stream: waiting[index].stream)
        buffer.writeImmutableBuffer(part)
    }

    /// The streams whose bodies wait for room.
    var waitingStreams: [StreamID] { waiting.isEmpty ? [] : waiting.map(\.stream) }

    func isWaiting(_ stream: StreamID) -> Bool { index(of: stream) != nil }

    /// Drops the rest of this stream's body.
    ///
    /// - Returns: the number of bytes that were not sent.
    mutating func forget(_ stream: StreamID) -> Int {
        guard let index = index(of: stream) else { return 0 }
        return waiting.remove(at: index).body.readableBytes
    }

    /// Applies a WINDOW_UPDATE of the connection.
    mutating func open(by increment: Int) throws(HTTP2Violation) {
        guard increment > 0 else {
            throw HTTP2Violation(.protocolError, "the server opened the connection's window by 0")
        }
        connectionWindow += increment
        guard connectionWindow <= Self.largestWindow else {
            throw HTTP2Violation(.flowControlError, "the server opened the connection's window beyond 2^31-1")
        }
    }

    /// Applies a WINDOW_UPDATE of a stream.
    ///
    /// If the stream's body has been written, the update is ignored.
    ///
    /// - Returns: the error code for RST_STREAM if the update breaks a rule; otherwise `nil`.
    mutating func open(_ stream: StreamID, by increment: Int) -> HTTP2Code? {
        guard increment > 0 else { return .protocolError }
        guard let index = index(of: stream) else { return nil }
        waiting[index].window += increment
        return waiting[index].window <= Self.largestWindow ? nil : .flowControlError
    }

    /// Applies SETTINGS_INITIAL_WINDOW_SIZE, which also changes the windows of open streams.
    ///
    /// See [RFC 9113 §6.9.2](https://www.rfc-editor.org/rfc/rfc9113#section-6.9.2).
    mutating func setInitialWindow(_ byteCount: Int) throws(HTTP2Violation) {
        let change = byteCount - initialWindow
        initialWindow = byteCount
        for index in waiting.indices { waiting[index].window += change }
        guard byteCount <= Self.largestWindow, waiting.allSatisfy({ $0.window <= Self.largestWindow }) else {
            throw HTTP2Violation(.flowControlError, "the server set INITIAL_WINDOW_SIZE to \(byteCount)")
        }
    }

    /// Returns the index of a stream's waiting body; `nil` if the stream has none.
    ///
    /// Bodies wait in the order of their stream ids.
    private func index(of stream: StreamID) -> Int? {
        guard let last = waiting.last, last.stream >= stream else { return nil }
        var low = 0
        var high = waiting.count
        while low < high {
            let middle = (low + high) / 2
            if waiting[middle].stream < stream { low = middle + 1 } else { high = middle }
        }
        return waiting.indices.contains(low) && waiting[low].stream == stream ? low : nil
    }
}
