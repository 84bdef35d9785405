import Foundation
import Testing

@testable import CarillonDevice

@Suite("The answer of the simulator's admin port") struct EventStreamReaderTests {
    private static let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func events(in text: String, piece: Int) throws -> [String?] {
        var (reader, found) = (EventStreamReader(), [String?]())
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try reader.read(bytes[start..<min(start + piece, bytes.count)]) { data in
                found.append(data.map { String(decoding: $0, as: UTF8.self) })
            }
        }
        return found
    }

    @Test("events are the same however the network cuts them", arguments: [1, 2, 3, 7, 1000])
    func pieces(of size: Int) throws {
        let text = Self.head + "9\r\n: ready\n\n\r\n" + "b\r\ndata: {\"a\":\r\n" + "a\r\n\"\u{f6}\"}\n\n: \n\r\n"
        #expect(try events(in: text, piece: size) == [nil, " {\"a\":\"\u{f6}\"}", nil])
    }

    @Test("what came before the end has been taken")
    func end() throws {
        var (reader, count) = (EventStreamReader(), 0)
        let text = Self.head + "9\r\ndata: 1\n\n\r\n0\r\n\r\n"
        #expect(throws: EventStreamReader.Failure.ended) {
            try reader.read(Array(text.utf8)) { _ in count += 1 }
        }
        #expect(count == 1)
    }

    @Test(
        "an answer that is no stream of events is refused",
        arguments: [
            "HTTP/1.1 404 Not Found\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "SSH-2.0-OpenSSH\r\n",
            head + "zz\r\n", head + "-1\r\n", "\r\n",
        ])
    func refused(text: String) {
        #expect(throws: EventStreamReader.Failure.self) { try events(in: text, piece: 1000) }
    }

    @Test("data in several lines is one event, with the ends of its lines between")
    func lines() throws {
        let text = Self.head + "10\r\ndata:1\ndata:2\n\n\r\n"
        #expect(try events(in: text, piece: 1000) == ["1\n2"])
    }

    @Test(
        "a line without an end, or an event, is given up before it fills the memory",
        arguments: ["x", "data:" + String(repeating: "x", count: 1000) + "\n"])
    func endless(part: String) {
        let count = 2 * PhoneLimits.eventBytes / part.utf8.count
        let text = Self.head + "fffffff\r\n" + String(repeating: part, count: count)
        #expect(throws: EventStreamReader.Failure.self) { try events(in: text, piece: 65_536) }
    }
}
