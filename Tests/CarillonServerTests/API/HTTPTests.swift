import Foundation
import Testing

@testable import CarillonServer

/// docs/http.md has these as a table.
@Suite("HTTP as RFC 9110 and RFC 9112 have it, over a socket")
struct HTTPTests {
    private static let body = #"{"to":{"user":"u"},"payload":{"aps":{"alert":"x"}}}"#
    private static let get = "GET /healthz HTTP/1.1\r\nHost: a\r\n"

    /// One request, and the status of its answer; KEY stands for the API key.
    static let requests: [(name: String, request: String, status: Int)] = [
        ("Host is missing", "GET /healthz HTTP/1.1\r\n\r\n", 400), ("Host stands twice", get + "Host: a\r\n\r\n", 400),
        ("Host is no host", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("Host has no port", "GET /healthz HTTP/1.1\r\nHost: a:x\r\n\r\n", 400),
        ("Host is IPv6", "GET /healthz HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n", 200),
        ("Host is empty", "GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", 200),
        ("absolute-form", "GET http://b/healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 200),
        ("https without TLS", "GET https://b/healthz HTTP/1.1\r\nHost: a\r\n\r\n", 421),
        ("a fragment", "GET /healthz#x HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("* with GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("* with OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 204),
        ("OPTIONS", "OPTIONS /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 204),
        ("CONNECT", "CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n", 501),
        ("TRACE", "TRACE /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
        ("an unknown method", "BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("a method in small letters", "get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("a method of others", "PROPFIND /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 405),
        ("no HTTP", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n", 400),
        ("HTTP/2.0", "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", 505),
        ("HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", 200),
        (
            "Transfer-Encoding and Content-Length",
            post("Transfer-Encoding: chunked\r\nContent-Length: 5", "0\r\n\r\n"), 400
        ),
        ("two lengths", post("Content-Length: 51\r\nContent-Length: 5", body), 400),
        ("a list of lengths", post("Content-Length: 51, 51", body), 400),
        ("a negative length", post("Content-Length: -5", body), 400),
        ("a signed length", post("Content-Length: +51", body), 400),
        ("a length beyond 64 bits", post("Content-Length: 99999999999999999999999", body), 400),
        ("a length beyond the limit", post("Content-Length: 9999999999", body), 413),
        (
            "chunks with extensions and trailers",
            post("Transfer-Encoding: chunked\r\nConnection: close", "33;a=b;c=\"d\"\r\n\(body)\r\n0\r\nX-T: 1\r\n\r\n"),
            202
        ),
        ("a chunk's size is none", post("Transfer-Encoding: chunked", "xx\r\n\(body)\r\n0\r\n\r\n"), 400),
        ("a chunk's size is too large", post("Transfer-Encoding: chunked", "fffffffffffffffff\r\n\(body)"), 400),
        ("a chunk is longer than its size", post("Transfer-Encoding: chunked", "32\r\n\(body)\r\n0\r\n\r\n"), 400),
        ("an unknown transfer coding", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), 501),
        ("a last transfer coding but chunked", post("Transfer-Encoding: gzip", body), 400),
        ("chunked twice", post("Transfer-Encoding: chunked, chunked", "0\r\n\r\n"), 400),
        (
            "a transfer coding in HTTP/1.0",
            "POST /v1/notifications HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
        ),
        ("bare line feeds", "GET /healthz HTTP/1.1\nHost: a\n\n", 505), ("a bare CR", get + "X: a\rb\r\n\r\n", 400),
        ("NUL", get + "X: a\0b\r\n\r\n", 400), ("obs-fold", get + "X: a\r\n b\r\n\r\n", 400),
        ("a space before the colon", get + "X : a\r\n\r\n", 400), ("no colon", get + "XYZ\r\n\r\n", 400),
        ("no name", get + ": a\r\n\r\n", 400),
        ("a space before the first", "GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n", 400),
        ("empty lines before", "\r\n\r\n" + get + "Connection: close\r\n\r\n", 200),
        ("a long header", get + "X: \(String(repeating: "a", count: 90_000))\r\n\r\n", 431),
        ("many headers", get + String(repeating: "X: a\r\n", count: 1100) + "\r\n", 431),
        ("a long target", "GET /healthz?\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("a longer target", "GET /healthz?\(String(repeating: "a", count: 90_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        ("an expectation", post("Expect: rain\r\nContent-Length: 51", body), 417),
        ("If-Match", get + "If-Match: \"x\"\r\nConnection: close\r\n\r\n", 412),
        ("a change of the protocol", get + "Connection: upgrade\r\nUpgrade: websocket\r\n\r\n", 200),
    ]

    private static func post(_ headers: String, _ body: String) -> String {
        "POST /v1/notifications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer KEY\r\n\(headers)\r\n\r\n\(body)"
    }

    @Test("a request is answered with its status, with a date, and the connection ends", arguments: requests.indices)
    func status(_ index: Int) async throws {
        let (name, request, status) = Self.requests[index]
        try await RunningService.run { service in
            let answer = try await service.raw(request.replacing("KEY", with: service.key))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(name): \(answer)")
            #expect(answer.components(separatedBy: "HTTP/1.").count == 2, "\(name): one answer")
            #expect(answer.lowercased().contains("\r\ndate: "), "\(name): \(answer)")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"), "\(name): \(answer)")
            if status >= 400 {
                #expect(answer.contains("application/problem+json"), "\(name): \(answer)")
                // By this header the SDK tells the service from a box in between.
                #expect(answer.lowercased().contains("\r\ncarillon-problem: "), "\(name): \(answer)")
            }
            if status == 204 { #expect(answer.hasSuffix("\r\n\r\n") && answer.contains("GET"), "\(name): \(answer)") }
            if status == 204 { #expect(!answer.lowercased().contains("content-length"), "\(name): \(answer)") }
        }
    }

    @Test("100 comes when the body is wanted, and not where the key or the length is refused")
    func expectation() async throws {
        try await RunningService.run { service in
            func head(_ key: String, _ length: Int) -> String {
                "POST /v1/notifications HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\nExpect: 100-Continue\r\n"
                    + "Content-Length: \(length)\r\n\r\n"
            }
            let good = try service.connection()
            defer { good.close() }
            await good.send(head(service.key, Self.body.utf8.count))
            #expect(await good.read(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            await good.send(Self.body + Self.get + "Connection: close\r\n\r\n")
            let rest = await good.read()
            #expect(rest.hasPrefix("HTTP/1.1 202 ") && rest.contains("HTTP/1.1 200 "), "\(rest)")
            #expect(try await service.raw(head("x", 51)).hasPrefix("HTTP/1.1 401 "))
            #expect(try await service.raw(head(service.key, 100_000)).hasPrefix("HTTP/1.1 413 "))
            let old =
                "POST /v1/notifications HTTP/1.0\r\nAuthorization: Bearer \(service.key)\r\nExpect: 100-continue\r\n"
            let answer = try await service.raw(old + "Content-Length: \(Self.body.utf8.count)\r\n\r\n" + Self.body)
            #expect(answer.hasPrefix("HTTP/1.1 202 "), "\(answer)")
        }
    }

    @Test("requests in a row are answered in their order, a broken one and those after it last and once")
    func pipelining() async throws {
        try await RunningService.run { service in
            let answer = try await service.raw(
                "\(Self.get)\r\nGET /v1/none HTTP/1.1\r\nHost: a\r\n\r\nHEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
                    + "GET /healthz HTTP/1.1\r\nX : a\r\n\r\n\(Self.get)\r\n")
            let statuses = answer.components(separatedBy: "HTTP/1.1 ").dropFirst().map { $0.prefix(3) }
            #expect(statuses == ["200", "404", "200", "400"], "\(answer)")
        }
    }

    @Test(
        "after a request with Connection: close, in any spelling, no other is answered",
        arguments: ["close", "Close", "x, close"])
    func close(_ option: String) async throws {
        try await RunningService.run { service in
            let answer = try await service.raw("\(Self.get)Connection: \(option)\r\n\r\n\(Self.get)\r\n")
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
            #expect(answer.lowercased().contains("connection: close"), "\(answer)")
        }
    }

    @Test("HTTP/1.0 goes on where it asks for that")
    func keepAlive() async throws {
        try await RunningService.run { service in
            let answer = try await service.raw(
                "GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /healthz HTTP/1.0\r\n\r\n")
            #expect(answer.components(separatedBy: "HTTP/1.1 200 ").count == 3, "\(answer)")
            #expect(answer.lowercased().contains("connection: keep-alive"), "\(answer)")
        }
    }

    @Test("a refusal reaches a client that is still sending, and a body that ends too early is refused")
    func bodies() async throws {
        try await RunningService.run { service in
            let large = Self.post("Content-Length: 200000", String(repeating: "a", count: 100_000))
            let refused = try await service.raw(large)
            #expect(
                refused.hasPrefix("HTTP/1.1 401 ") && refused.lowercased().contains("connection: close"), "\(refused)")
            let short = try service.connection()
            defer { short.close() }
            await short.send(Self.post("Content-Length: 51", "{").replacing("KEY", with: service.key))
            short.endSending()
            #expect(await short.read().hasPrefix("HTTP/1.1 400 "))
        }
    }
}

extension RunningService {
    /// Sends a text and reads to the end of the connection.
    func raw(_ text: String) async throws -> String {
        let connection = try connection()
        defer { connection.close() }
        await connection.send(text)
        return await connection.read()
    }
}
