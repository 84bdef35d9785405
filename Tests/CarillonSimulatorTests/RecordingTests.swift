import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import Testing

@testable import CarillonSimulator

@Suite("Recordings of a sender and its APNs")
struct RecordingTests {
    private static let head = #"{"carillon_recording":1,"started":"x","upstream":"apns"}"#
    private static let request =
        #"{"connection":1,"at_ms":5,"request":{"method":"POST","path":"/3/device/","token":"00ff","headers":[]},"answer":{"after_ms":1,"status":200}}"#

    @Test(
        "a recording that is not whole is refused with its line",
        arguments: [
            ("", 1, "cut off after this line"), ("{}", 1, "no recording of carillon record"),
            (#"{"carillon_recording":2}"#, 1, "a recording of version 2; this program reads version 1"),
            (head, 1, "cut off after this line"), ("\(head)\n\(request)\n", 2, "cut off after this line"),
            ("\(head)\n\(request.dropLast(9))", 2, "cut off in this line"),
            ("\(head)\n[]\n\(request)", 2, "it is no JSON object"),
            ("\(head)\n\(request)\n{\"end\":{\"requests\":2}}", 3, "other requests than the 1 before it"),
            ("\(head)\n{\"end\":{\"requests\":0}}\n\(request)", 3, "a line after the end"),
            ("\(head)\n{\"at_ms\":1}\n{}", 2, "connection or at_ms is missing"),
            ("\(head)\n{\"at_ms\":1,\"connection\":1,\"request\":{}}\n{}", 2, "no method or no path"),
            ("\(head)\n\(request.replacing("200", with: "99"))\n{}", 2, "the status 99 is not between 200 and 599"),
            ("\(head)\n\(request.replacing("status", with: "x"))\n{}", 2, "neither status, reset, abandoned nor cut"),
            ("\(head)\n\(request.replacing("after_ms", with: "x"))\n{}", 2, "has no after_ms"),
        ])
    func broken(text: String, line: Int, problem: String) throws {
        let error = #expect(throws: RecordingError.self) { try APNsRecording(reading: text) }
        #expect(error?.line == line && error?.problem.contains(problem) == true, "\(error?.description ?? "")")
    }

    @Test("what is written is read again, in the order of the requests")
    func roundTrip() throws {
        func exchange(_ at: Int, _ ending: APNsRecording.Ending) -> APNsRecording.Entry {
            .exchange(
                APNsRecording.Exchange(
                    connection: 2, at: .milliseconds(at), method: "POST", path: "/3/device/", token: "00ff",
                    headers: [.init(name: "apns-topic", value: "com.example.app")], payload: ["aps": [:]],
                    ending: ending, after: .milliseconds(7)))
        }
        let entries = [
            exchange(9, .answered(status: 410, headers: [.init(name: "apns-id", value: "1")], body: "{}")),
            exchange(3, .reset(code: 7)), exchange(4, .abandoned), exchange(5, .cut),
            .goAway(APNsRecording.GoAway(connection: 2, at: .milliseconds(6), reason: "Shutdown")),
        ]
        let now = SimulatorFixture.start
        let lines =
            [APNsRecording.head(upstream: "apns", at: now)] + entries.map(\.json) + [APNsRecording.end(requestCount: 4)]
        let text = try lines.map { String(decoding: try $0.encoded(), as: UTF8.self) }.joined(separator: "\n")
        let read = try APNsRecording(reading: text)
        #expect(read.entries == entries)
        #expect(read.exchanges.map(\.at) == [3, 4, 5, 9].map { .milliseconds($0) })
    }

    @Test("a pseudonym is as long as the token, one for all spellings, and another under another salt")
    func pseudonyms() {
        let one = Pseudonyms(salt: [1], keepsPayloads: true)
        let token = String(repeating: "0aB1", count: 25)
        #expect(one.pseudonym(of: token).utf8.count == 100)
        #expect(one.pseudonym(of: token) == one.pseudonym(of: token.uppercased()))
        #expect(one.pseudonym(of: token) != Pseudonyms(salt: [2], keepsPayloads: true).pseudonym(of: token))
        let payload = one.payload(Data(#"{"for":"\#(token.uppercased())"}"#.utf8), token: token)
        #expect(payload == ["for": .string(one.pseudonym(of: token))])
    }

    @Test("frames are read in whatever parts they come; padding, priority and continuations are understood")
    func frames() throws {
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        var block = ByteBuffer()
        try encoder.encode(
            headers: [
                ":method": "POST", ":path": "/3/device/00ff00ff", ":authority": "localhost:1",
                "authorization": "bearer x", "apns-topic": "com.example.app",
            ], to: &block)
        var sent = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        let start = block.readSlice(length: 5)
        let first = try #require(start)
        var padded = ByteBuffer(bytes: [2, 0, 0, 0, 0, 16])
        padded.writeImmutableBuffer(first)
        padded.writeBytes([0, 0])
        // HEADERS with padding and priority, then CONTINUATION, then DATA with the end of the stream.
        FrameSplitter.write(FrameSplitter.headers, flags: 0x28, stream: 1, padded, into: &sent)
        FrameSplitter.write(FrameSplitter.continuation, flags: 0x4, stream: 1, block, into: &sent)
        FrameSplitter.write(FrameSplitter.data, flags: 0x1, stream: 1, ByteBuffer(string: #"{"aps":{}}"#), into: &sent)
        var connection = RecordedConnection(
            number: 3, authority: "api.push.apple.com", pseudonyms: Pseudonyms(salt: [1], keepsPayloads: true))
        var passed = ByteBuffer()
        for byte in sent.readableBytesView {
            var (forward, entries) = try connection.received(ByteBuffer(bytes: [byte]), from: .sender, at: .seconds(1))
            passed.writeBuffer(&forward)
            #expect(entries.isEmpty)
        }
        var splitter = FrameSplitter(prefaceByteCount: 24)
        splitter.append(passed)
        _ = splitter.takePreface()
        let frame = try splitter.next()
        var forwarded = try #require(frame)
        var decoder = HPACKDecoder(allocator: ByteBufferAllocator())
        let headers = try decoder.decodeHeaders(from: &forwarded.payload)
        #expect(headers.first(name: ":authority") == "api.push.apple.com")
        #expect(headers.first(name: "authorization") == "bearer x", "it passes, and is not recorded")
        let ended = connection.ended(by: .apns, at: .seconds(3))
        guard case .exchange(let exchange) = try #require(ended.first) else { return #expect(Bool(false)) }
        #expect(exchange.ending == .cut && exchange.after == .seconds(2) && exchange.payload == ["aps": [:]])
        #expect(exchange.headers.map(\.name) == ["apns-topic"])
    }

    @Test("bytes that are no HTTP/2 end a connection")
    func noHTTP2() throws {
        var connection = RecordedConnection(
            number: 1, authority: "apns", pseudonyms: Pseudonyms(salt: [1], keepsPayloads: true))
        let bytes = ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(throws: RecordedConnection.Violation.self) {
            try connection.received(bytes, from: .sender, at: .zero)
        }
    }
}
