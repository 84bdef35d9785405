import CarillonCore
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("Frames from the server")
struct FrameReaderTests {
    /// A frame as it stands on the wire.
    static func wire(_ type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8] = [], length: Int? = nil)
        -> [UInt8]
    {
        let length = length ?? payload.count
        return [
            UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags,
            UInt8(stream >> 24 & 255), UInt8(stream >> 16 & 255), UInt8(stream >> 8 & 255), UInt8(stream & 255),
        ] + payload
    }

    static func read(_ bytes: [UInt8], piece: Int = .max) throws(HTTP2Violation) -> [InboundFrame] {
        var reader = FrameReader()
        var frames: [InboundFrame] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.append(ByteBuffer(bytes: rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            while let frame = try reader.next() { frames.append(frame) }
        }
        return frames
    }

    @Test("every kind of frame is read, however the bytes are cut into pieces", arguments: [1, 2, 3, 7, 10, 1000])
    func kinds(piece: Int) throws {
        let bytes =
            Self.wire(4, [0, 3, 0, 0, 3, 232, 0, 99, 0, 0, 0, 1]) + Self.wire(4, flags: 1)
            + Self.wire(1, flags: 4, stream: 1, [0x88])
            + Self.wire(1, flags: 1, stream: 3, [0x8D]) + Self.wire(9, stream: 3, [])
            + Self.wire(9, flags: 4, stream: 3, [0x84])
            + Self.wire(1, flags: 0x2C, stream: 5, [2, 0, 0, 0, 0, 9, 0x88, 0, 0])
            + Self.wire(0, flags: 9, stream: 5, [3, 65, 66, 0, 0, 0])
            + Self.wire(3, stream: 7, [0, 0, 0, 7]) + Self.wire(6, [0, 0, 0, 0, 0, 0, 0, 5])
            + Self.wire(6, flags: 1, [0, 0, 0, 0, 0, 0, 0, 6]) + Self.wire(8, [0x80, 0, 0, 9])
            + Self.wire(2, stream: 9, [0, 0, 0, 0, 0]) + Self.wire(0xBB, stream: 9, [1, 2, 3])
            + Self.wire(7, [0x80, 0, 0, 11, 0, 0, 0, 2, 65])
        let expected: [InboundFrame] = [
            .settings([Setting(name: .maxConcurrentStreams, value: 1000)]), .settingsAcknowledged,
            .headers(1, block: ByteBuffer(bytes: [0x88]), endStream: false),
            .headers(3, block: ByteBuffer(bytes: [0x8D, 0x84]), endStream: true),
            .headers(5, block: ByteBuffer(bytes: [0x88]), endStream: false),
            .data(5, ByteBuffer(string: "AB"), windowByteCount: 6, endStream: true),
            .reset(7, .refusedStream), .ping(5), .pong(6), .windowUpdate(0, increment: 9), .nothing, .nothing,
            .goAway(lastStream: 11, .internalError, debugData: ByteBuffer(string: "A")),
        ]
        #expect(try Self.read(bytes, piece: piece) == expected)
    }

    @Test(
        "what is malformed ends the connection with the code that RFC 9113 names",
        arguments: [
            (wire(0, stream: 1, length: 16_385), HTTP2Code.frameSizeError), (wire(0, [1]), .protocolError),
            (wire(0, flags: 8, stream: 1), .frameSizeError), (wire(0, flags: 8, stream: 1, [2, 65]), .protocolError),
            (wire(1, flags: 4), .protocolError), (wire(1, flags: 0x24, stream: 1, [0, 0, 0, 0]), .frameSizeError),
            (wire(1, flags: 0xC, stream: 1, [9, 0]), .protocolError),
            (wire(1, stream: 1) + wire(6, Array(repeating: 0, count: 8)), .protocolError),
            (wire(1, stream: 1) + wire(9, flags: 4, stream: 3), .protocolError),
            (wire(9, flags: 4, stream: 1), .protocolError),
            (wire(5, flags: 4, stream: 1, [0, 0, 0, 2]), .protocolError),
            (wire(3, stream: 1, [0, 0, 0]), .frameSizeError), (wire(3, [0, 0, 0, 0]), .protocolError),
            (wire(4, [0, 3, 0, 0, 0]), .frameSizeError), (wire(4, stream: 1), .protocolError),
            (wire(4, flags: 1, [0, 3, 0, 0, 0, 1]), .frameSizeError), (wire(6, [0]), .frameSizeError),
            (wire(6, stream: 1, Array(repeating: 0, count: 8)), .protocolError),
            (wire(7, [0, 0, 0, 1]), .frameSizeError),
            (wire(7, stream: 1, Array(repeating: 0, count: 8)), .protocolError), (wire(8, [0, 0, 1]), .frameSizeError),
            (wire(1, stream: 1) + (0..<16).flatMap { _ in wire(9, stream: 1) }, .enhanceYourCalm),
            (
                wire(1, stream: 1) + (0..<3).flatMap { _ in wire(9, stream: 1, Array(repeating: 0x88, count: 16_000)) },
                .enhanceYourCalm
            ),
        ])
    func malformed(bytes: [UInt8], code: HTTP2Code) {
        let violation = #expect(throws: HTTP2Violation.self) { try Self.read(bytes) }
        #expect(violation?.code == code)
    }
}
