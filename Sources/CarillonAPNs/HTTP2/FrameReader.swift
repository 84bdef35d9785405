import NIOCore

/// Splits the server's bytes into frames.
///
/// The reader checks each frame by the rules of [RFC 9113 §4 and §6](https://www.rfc-editor.org/rfc/rfc9113#section-4):
/// lengths, padding, the kind of stream, and the position of CONTINUATION. Memory is bounded: a frame has at most
/// ``frameByteLimit`` bytes, and a header block at most ``ClientLimits/headerBlockByteLimit``.
struct FrameReader: Sendable {
    /// The value of SETTINGS_MAX_FRAME_SIZE, in bytes: the smallest allowed value, which is the default.
    ///
    /// This size is far more than an answer of APNs needs.
    static let frameByteLimit = 16_384

    private static let headByteCount = 9

    struct Head: Sendable {
        let length: Int
        let type: UInt8
        let flags: UInt8
        let stream: StreamID

        func has(_ flag: UInt8) -> Bool { flags & flag != 0 }
    }

    /// A header block that needs further CONTINUATION frames.
    private struct OpenBlock: Sendable {
        let stream: StreamID
        let endStream: Bool
        var block: ByteBuffer
        var frameCount = 1
    }

    private var bytes = ByteBuffer()
    private var openBlock: OpenBlock?

    /// Appends bytes that TLS has decrypted.
    mutating func append(_ more: ByteBuffer) {
        if bytes.readableBytes == 0 {
            bytes = more
        } else {
            bytes.discardReadBytes()
            bytes.writeImmutableBuffer(more)
        }
    }

    /// Returns the next whole frame; `nil` if more bytes are needed.
    mutating func next() throws(HTTP2Violation) -> InboundFrame? {
        while let head = peekHead() {
            guard head.length <= Self.frameByteLimit else {
                throw HTTP2Violation(.frameSizeError, "the server sent a frame of \(head.length) bytes")
            }
            guard bytes.readableBytes >= Self.headByteCount + head.length else { return nil }
            bytes.moveReaderIndex(forwardBy: Self.headByteCount)
            guard let payload = bytes.readSlice(length: head.length) else { return nil }
            if let frame = try frame(head, payload) { return frame }
        }
        return nil
    }

    private func peekHead() -> Head? {
        bytes.withUnsafeReadableBytes { bytes in
            guard bytes.count >= Self.headByteCount else { return nil }
            let length = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
            // Ignores the highest bit, which is reserved.
            let stream =
                Int(bytes[5] & 0x7F) << 24 | Int(bytes[6]) << 16 | Int(bytes[7]) << 8 | Int(bytes[8])
            return Head(length: length, type: bytes[3], flags: bytes[4], stream: stream)
        }
    }

    /// Parses one frame.
    ///
    /// - Returns: the frame; `nil` if a header block needs further frames.
    private mutating func frame(_ head: Head, _ payload: ByteBuffer) throws(HTTP2Violation) -> InboundFrame? {
        let type = FrameType(rawValue: head.type)
        if openBlock != nil {
            guard type == .continuation, head.stream == openBlock?.stream else {
                throw HTTP2Violation(.protocolError, "the server broke off a header block")
            }
            return try continuation(head, payload)
        }
        switch type {
        case .headers: return try headers(head, payload)
        case .data: return try data(head, payload)
        case .continuation:
            throw HTTP2Violation(.protocolError, "the server sent CONTINUATION without a header block")
        case .pushPromise:
            // The client has disabled server push (RFC 9113 §8.4).
            throw HTTP2Violation(.protocolError, "the server sent PUSH_PROMISE")
        case .priority, nil: return .nothing
        case .reset, .settings, .ping, .goAway, .windowUpdate: return try ControlFrames.read(type, head, payload)
        }
    }

    private func data(_ head: Head, _ payload: ByteBuffer) throws(HTTP2Violation) -> InboundFrame {
        try Self.demandStream(head, "DATA")
        var content = payload
        if head.has(FrameFlag.padded) { try Self.stripPadding(&content) }
        return .data(
            head.stream, content, windowByteCount: head.length, endStream: head.has(FrameFlag.endStream))
    }

    private mutating func headers(_ head: Head, _ payload: ByteBuffer) throws(HTTP2Violation) -> InboundFrame? {
        try Self.demandStream(head, "HEADERS")
        var block = payload
        if head.has(FrameFlag.padded) { try Self.stripPadding(&block) }
        if head.has(FrameFlag.priority), block.readBytes(length: 5) == nil {
            throw HTTP2Violation(.frameSizeError, "the server sent HEADERS too short for their priority")
        }
        let endStream = head.has(FrameFlag.endStream)
        if head.has(FrameFlag.endHeaders) { return .headers(head.stream, block: block, endStream: endStream) }
        openBlock = OpenBlock(stream: head.stream, endStream: endStream, block: block)
        return nil
    }

    private mutating func continuation(_ head: Head, _ payload: ByteBuffer) throws(HTTP2Violation) -> InboundFrame? {
        guard var open = openBlock else { return nil }
        open.frameCount += 1
        open.block.writeImmutableBuffer(payload)
        let (byteLimit, frameLimit) = (ClientLimits.headerBlockByteLimit, ClientLimits.headerFrameLimit)
        guard open.block.readableBytes <= byteLimit, open.frameCount <= frameLimit else {
            throw HTTP2Violation(
                .enhanceYourCalm,
                "the server sent a header block of more than \(byteLimit) bytes or \(frameLimit) frames")
        }
        guard head.has(FrameFlag.endHeaders) else {
            openBlock = open
            return nil
        }
        openBlock = nil
        return .headers(open.stream, block: open.block, endStream: open.endStream)
    }

    private static func demandStream(_ head: Head, _ name: String) throws(HTTP2Violation) {
        guard head.stream != 0 else { throw HTTP2Violation(.protocolError, "the server sent \(name) on stream 0") }
    }

    /// Removes the padding, which must be shorter than the frame's payload
    /// ([RFC 9113 §6.1](https://www.rfc-editor.org/rfc/rfc9113#section-6.1)).
    private static func stripPadding(_ content: inout ByteBuffer) throws(HTTP2Violation) {
        guard let count = content.readInteger(as: UInt8.self) else {
            throw HTTP2Violation(.frameSizeError, "the server sent a padded frame without its pad length")
        }
        guard let stripped = content.readSlice(length: content.readableBytes - Int(count)) else {
            throw HTTP2Violation(.protocolError, "the server sent a frame that is all padding and more")
        }
        content = stripped
    }
}
