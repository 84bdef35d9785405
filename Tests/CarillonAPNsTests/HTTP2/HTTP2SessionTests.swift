import CarillonCore
import Foundation
import NIOCore
import Testing

@testable import CarillonAPNs

@Suite("HTTP/2 without a socket")
struct HTTP2SessionTests {
    typealias Wire = FrameReaderTests

    private func session(after settings: [UInt8] = []) throws -> HTTP2Session {
        var session = HTTP2Session()
        session.append(ByteBuffer(bytes: Wire.wire(4, settings)))
        _ = try session.next()
        session.outgoing.clear()
        return session
    }

    private func notification(byteCount: Int = 10) throws -> APNsNotification {
        var notification = try TestValues.notification()
        notification.payload = APNsPayload(Data(repeating: 0x61, count: byteCount))
        return notification
    }

    private func open(_ stream: StreamID, byteCount: Int = 10, on session: inout HTTP2Session) throws {
        session.open(stream, try notification(byteCount: byteCount), authority: "a", authorization: nil)
    }

    private func events(_ bytes: [UInt8], on session: inout HTTP2Session) throws(HTTP2Violation) -> [HTTP2Session.Event]
    {
        session.append(ByteBuffer(bytes: bytes))
        var events: [HTTP2Session.Event] = []
        while let event = try session.next() { events.append(event) }
        return events
    }

    /// Returns the client's output as frames; it writes the kinds of frames that it reads.
    private func written(by session: inout HTTP2Session) throws -> [InboundFrame] {
        defer { session.outgoing.clear() }
        return try Wire.read(Array(session.outgoing.readableBytesView))
    }

    @Test("the client opens with the preface and SETTINGS that switch push off, and acknowledges the server's")
    func opening() throws {
        var session = HTTP2Session()
        let preface = session.outgoing.readString(length: 24)
        #expect(preface == "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        let first = try written(by: &session)
        #expect(
            first == [
                .settings([
                    Setting(name: .enablePush, value: 0), Setting(name: .maxHeaderListSize, value: 16 * 1024),
                ])
            ])
        #expect(try events(Wire.wire(4, [0, 3, 0, 0, 0, 7]), on: &session) == [.settings(streamLimit: 7)])
        #expect(try written(by: &session) == [.settingsAcknowledged])
    }

    @Test("a request is HEADERS and one DATA that ends the stream; a PING is answered with its own data")
    func request() throws {
        var session = try session()
        try open(1, on: &session)
        let frames = try written(by: &session)
        guard case .headers(1, _, endStream: false)? = frames.first else {
            Issue.record("no HEADERS")
            return
        }
        #expect(
            frames.dropFirst() == [
                .data(1, ByteBuffer(repeating: 0x61, count: 10), windowByteCount: 10, endStream: true)
            ])
        #expect(try events(Wire.wire(6, [1, 2, 3, 4, 5, 6, 7, 8]), on: &session).isEmpty)
        #expect(try written(by: &session) == [.pong(0x0102_0304_0506_0708)])
    }

    @Test(
        "what no server may do ends the connection with the RFC's code",
        arguments: [
            (Wire.wire(1, flags: 5, stream: 3, [0x88]), HTTP2Code.protocolError),
            (Wire.wire(1, flags: 5, stream: 2, [0x88]), .protocolError),
            (Wire.wire(0, flags: 1, stream: 5, [1]), .protocolError),
            (Wire.wire(3, stream: 7, [0, 0, 0, 8]), .protocolError),
            (Wire.wire(8, stream: 9, [0, 0, 0, 1]), .protocolError), (Wire.wire(8, [0, 0, 0, 0]), .protocolError),
            (Wire.wire(8, [0x7F, 0xFF, 0xFF, 0xFF]), .flowControlError),
            (Wire.wire(4, [0, 4, 0x80, 0, 0, 0]), .flowControlError),
            (Wire.wire(4, [0, 5, 0, 0, 0, 1]), .protocolError),
            (Wire.wire(4, [0, 2, 0, 0, 0, 1]), .protocolError),
            (Wire.wire(1, flags: 4, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF]), .compressionError),
            (Wire.wire(1, flags: 4, stream: 1, [0xBE]), .compressionError),
            ((0...1000).flatMap { _ in Wire.wire(6, Array(repeating: 0, count: 8)) }, .enhanceYourCalm),
            ((0...1000).flatMap { _ in Wire.wire(4) }, .enhanceYourCalm),
            (
                // One entry of 4000 bytes, then it is named again and again.
                Wire.wire(
                    1, flags: 4, stream: 1,
                    [0x40, 1, 0x61, 0x7F, 0xA1, 0x1E] + Array(repeating: 0x62, count: 4000)
                        + Array(repeating: 0xBE, count: 5)), .enhanceYourCalm
            ),
        ])
    func violations(bytes: [UInt8], code: HTTP2Code) throws {
        var session = try session()
        try open(1, on: &session)
        let violation = #expect(throws: HTTP2Violation.self) { try events(bytes, on: &session) }
        #expect(violation?.code == code)
    }

    @Test("the first frame has to be SETTINGS, or GOAWAY")
    func first() throws {
        var session = HTTP2Session()
        #expect(
            try events(Wire.wire(7, Array(repeating: 0, count: 8)), on: &session)
                == [.goAway(lastStream: 0, .noError, debugData: ByteBuffer())])
        let violation = #expect(throws: HTTP2Violation.self) {
            try events(Wire.wire(6, Array(repeating: 0, count: 8)), on: &session)
        }
        #expect(violation?.code == .protocolError)
    }

    @Test("answers in one frame and in two, with padding, trailers and interim heads, are told as they come")
    func answers() throws {
        var session = try session()
        for stream in [1, 3, 5] { try open(stream, on: &session) }
        let head = APNsAnswerHead(status: 200)
        #expect(try events(Wire.wire(1, flags: 5, stream: 1, [0x88]), on: &session) == [.head(1, head, isLast: true)])
        let refusal = Wire.wire(1, flags: 4, stream: 3, [0x8C]) + Wire.wire(0, flags: 9, stream: 3, [1, 0x7B, 0])
        #expect(
            try events(refusal, on: &session) == [
                .head(3, APNsAnswerHead(status: 400), isLast: false), .body(3, ByteBuffer(string: "{"), isLast: true),
            ])
        #expect(try events(Wire.wire(1, flags: 5, stream: 5, []), on: &session) == [.head(5, nil, isLast: true)])
        #expect(try events(Wire.wire(3, stream: 5, [0, 0, 0, 0]), on: &session) == [.reset(5, .noError)])
    }

    @Test("the connection's receive window is opened again by what was used, padding included, and not overdrawn")
    func receiveWindow() throws {
        var session = try session()
        try open(1, on: &session)
        session.outgoing.clear()
        let frame = Wire.wire(0, flags: 8, stream: 1, [99] + Array(repeating: 0, count: 9999))
        for _ in 0..<3 { _ = try events(frame, on: &session) }
        #expect(try written(by: &session).isEmpty)
        _ = try events(frame, on: &session)
        #expect(try written(by: &session) == [.windowUpdate(0, increment: 40_000)])
        for _ in 0..<100 { _ = try events(frame, on: &session) }
        #expect(try written(by: &session).count == 25)
    }

    @Test("a stream whose window breaks a rule is reset; the connection lives on")
    func streamWindow() throws {
        var session = try session(after: [0, 4, 0, 0, 0, 4])
        try open(1, on: &session)
        try open(3, on: &session)
        session.outgoing.clear()
        let overflow = Wire.wire(8, stream: 1, [0x7F, 0xFF, 0xFF, 0xFF]) + Wire.wire(8, stream: 3, [0, 0, 0, 0])
        // 4 bytes went out and 4 are allowed: the largest increment is just within the limit, a further one is not.
        #expect(try events(Wire.wire(8, stream: 1, [0, 0, 0, 1]), on: &session).isEmpty)
        _ = try written(by: &session)
        let told = try events(overflow, on: &session)
        #expect(told.contains(.reset(3, .protocolError)))
        #expect(session.forget(3) == 6)
        #expect(try events(Wire.wire(6, Array(repeating: 0, count: 8)), on: &session).isEmpty)
    }

    @Test("an answer that comes before the body is out cancels the rest of the body and gives its window back")
    func earlyAnswer() throws {
        var session = try session(after: [0, 4, 0, 0, 0, 4])
        try open(1, on: &session)
        session.outgoing.clear()
        #expect(
            try events(Wire.wire(1, flags: 5, stream: 1, [0x8C]), on: &session)
                == [.head(1, APNsAnswerHead(status: 400), isLast: true)])
        #expect(session.forget(1) == 6)
        #expect(try written(by: &session) == [.reset(1, .cancel)])
        #expect(session.forget(1) == 0)
    }

    @Test("bodies keep to both windows, however they open, close and are cut short, and arrive whole and in order")
    func flowControl() throws {
        for seed in UInt64(1)...200 {
            var harness = try WindowHarness(seed: seed)
            for step in 0..<60 where !harness.isBroken { try harness.step(step) }
            try harness.finish()
        }
    }

    @Test("bytes of a real conversation with a few of them changed never do worse than end the connection")
    func mutations() throws {
        for seed in UInt64(1)...2000 {
            var generator = SeededGenerator(seed: seed)
            var session = try session()
            for stream in stride(from: 1, to: 20, by: 2) { try open(stream, on: &session) }
            var bytes = (0..<10).flatMap { number in
                Wire.wire(1, flags: 4, stream: 2 * number + 1, [0x8C, 0x40, 1, 0x61, 2, 0x62, UInt8(number)])
                    + Wire.wire(0, flags: 1, stream: 2 * number + 1, Array(#"{"reason":"BadTopic"}"#.utf8))
                    + Wire.wire(8, [0, 0, 0, 21])
            }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let told = try? events(bytes, on: &session) else { continue }
            #expect(told.count <= 40, "seed \(seed)")
        }
    }
}
