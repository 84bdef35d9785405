import Foundation
import Testing

@testable import CarillonServer

@Suite("The line with which input begins")
struct LineStartTests {
    @Test("no byte of a body is looked at, and of a head each at most once but for the first few")
    func work() {
        var line = LineStart()
        let body = CountedBytes([UInt8](repeating: UInt8(ascii: " "), count: 65_536))
        for _ in 0..<4 { line.received(body, isBody: true) }
        #expect(body.looks == 0)
        let head = CountedBytes(Array("GET /\(String(repeating: "a", count: 65_531))".utf8))
        line.received(head, isBody: false)
        #expect(head.looks <= head.count + 2 * ServiceLimits.methodBytes, "\(head.looks)")
        #expect(line.isRequestLine)
    }

    @Test("a line that comes in pieces is known by its beginning")
    func pieces() {
        var line = LineStart()
        for piece in ["GET /", "a", " HTTP/1.1\r\nHos"] {
            line.received(piece.utf8, isBody: false)
            #expect(line.isRequestLine, "\(piece)")
        }
        line.received("t: a b".utf8, isBody: false)
        #expect(!line.isRequestLine)
    }

    @Test("what follows a body is a line of its own: a target that is too long is answered with 414")
    func afterBody() async throws {
        try await RunningService.run { service in
            let connection = try service.connection()
            defer { connection.close() }
            let body = #"{"to":{"user":"u"},"payload":{"aps":{"alert":"x"}}}"#
            await connection.send(
                "POST /v1/notifications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(service.key)\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            #expect(await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 202 "))
            await connection.send("GET /healthz?\(String(repeating: "a", count: 90_000)) HTTP/1.1\r\nHost: a\r\n\r\n")
            let rest = await connection.read()
            #expect(rest.contains("HTTP/1.1 414 "), "\(rest)")
        }
    }
}

/// Bytes that count how often one of them is looked at.
private struct CountedBytes: RandomAccessCollection {
    private final class Count { var looks = 0 }

    private let bytes: [UInt8]
    private let looked = Count()

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var looks: Int { looked.looks }
    var startIndex: Int { bytes.startIndex }
    var endIndex: Int { bytes.endIndex }
    subscript(index: Int) -> UInt8 {
        looked.looks += 1
        return bytes[index]
    }
}
