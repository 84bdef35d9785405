import NIOCore

/// Cuts one direction of an HTTP/2 connection into frames ([RFC 9113 §4.1](https://www.rfc-editor.org/rfc/rfc9113#section-4.1)).
struct FrameSplitter {
    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let resetStream: UInt8 = 3
    static let settings: UInt8 = 4
    static let goAway: UInt8 = 7
    static let continuation: UInt8 = 9

    static let endOfStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endOfHeaders: UInt8 = 0x4
    private static let isPadded: UInt8 = 0x8
    private static let hasPriority: UInt8 = 0x20
    private static let headByteCount = 9

    struct Frame {
        var type: UInt8
        var flags: UInt8
        var stream: UInt32
        var payload: ByteBuffer
        /// The frame as it came.
        var whole: ByteBuffer

        var isEndOfStream: Bool { flags & FrameSplitter.endOfStream != 0 }
        var isEndOfHeaders: Bool { flags & FrameSplitter.endOfHeaders != 0 }

        /// Returns the payload without its padding and, of HEADERS, without the priority.
        func content(hasPriority: Bool) throws -> ByteBuffer {
            var rest = payload
            var padding = 0
            if flags & FrameSplitter.isPadded != 0 { padding = Int(rest.readInteger(as: UInt8.self) ?? 0) }
            if hasPriority, flags & FrameSplitter.hasPriority != 0 { _ = rest.readSlice(length: 5) }
            guard let content = rest.readSlice(length: rest.readableBytes - padding) else {
                throw RecordedConnection.Violation(description: "a frame has more padding than bytes")
            }
            return content
        }
    }

    private var bytes = ByteBuffer()
    /// The number of bytes before the first frame that have not come yet.
    private var prefaceByteCount: Int

    init(prefaceByteCount: Int) { self.prefaceByteCount = prefaceByteCount }

    mutating func append(_ more: ByteBuffer) { bytes.writeImmutableBuffer(more) }

    /// Returns the bytes of the connection preface that have come.
    mutating func takePreface() -> ByteBuffer? {
        guard prefaceByteCount > 0, let part = bytes.readSlice(length: min(prefaceByteCount, bytes.readableBytes))
        else {
            return nil
        }
        prefaceByteCount -= part.readableBytes
        return part
    }

    /// Returns the next complete frame; `nil` if there is none yet.
    mutating func next() throws -> Frame? {
        guard prefaceByteCount == 0 else { return nil }
        var rest = bytes
        guard
            let (high, low, type, flags, stream) =
                rest.readMultipleIntegers(as: (UInt8, UInt16, UInt8, UInt8, UInt32).self)
        else { return nil }
        let length = Int(high) << 16 | Int(low)
        guard length <= SimulatorLimits.recordedFrameByteLimit else {
            throw RecordedConnection.Violation(description: "a frame has \(length) bytes: is this HTTP/2?")
        }
        guard let payload = rest.readSlice(length: length),
            let whole = bytes.readSlice(length: Self.headByteCount + length)
        else { return nil }
        if bytes.readableBytes == 0 { bytes.clear() } else { bytes.discardReadBytes() }
        return Frame(type: type, flags: flags, stream: stream & 0x7FFF_FFFF, payload: payload, whole: whole)
    }

    static func write(
        _ type: UInt8, flags: UInt8, stream: UInt32, _ payload: ByteBuffer, into buffer: inout ByteBuffer
    ) {
        let length = payload.readableBytes
        buffer.writeMultipleIntegers(UInt8(length >> 16), UInt16(length & 0xFFFF), type, flags, stream)
        buffer.writeImmutableBuffer(payload)
    }
}
