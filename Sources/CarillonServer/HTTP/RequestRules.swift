import CarillonCore
import HTTPTypes
import NIOHTTP1

/// Checks the head of a request for faults that the HTTP parser does not find.
///
/// docs/http.md lists the rules in a table.
enum RequestRules {
    /// Returns the reason to refuse a request; `nil` for a valid request.
    static func refusal(of head: HTTPRequestHead) -> Problem? {
        target(head) ?? host(head) ?? framing(head) ?? expectation(head)
    }

    /// Returns whether a client waits for status 100 before it sends the body.
    static func expectsContinue(_ head: HTTPRequestHead) -> Bool {
        head.version != .http1_0 && head.headers["expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// Returns the answer to a request head that the parser could not read.
    ///
    /// - Parameters:
    ///   - error: the parser's error.
    ///   - isRequestLine: whether the parser failed in a request line.
    /// - Returns: the answer.
    static func refusal(_ error: HTTPParserError, isRequestLine: Bool) -> Problem {
        switch error {
        case .headerOverflow:
            isRequestLine
                ? targetTooLong
                : Problem(
                    .requestHeaderFieldsTooLarge, "headers-too-large", "The headers are too large",
                    "one header or all together are larger than the service reads; send fewer")
        case .invalidMethod where isRequestLine:
            Problem(.notImplemented, "unknown-method", "The method is not known", "the request's method is not known")
        case .invalidVersion:
            Problem(
                HTTPResponse.Status(code: 505), "unknown-version", "The version of HTTP is not spoken here",
                "the service speaks versions 1.1 and 1.0 of HTTP")
        default: malformed("the request is not as RFC 9112 has it: \(error)")
        }
    }

    /// Returns a 400 for a request whose form violates HTTP.
    static func malformed(_ detail: String) -> Problem {
        Problem(.badRequest, "malformed-request", "The request is not HTTP", detail)
    }

    private static let targetTooLong = Problem(
        .uriTooLong, "target-too-long", "The path is too long",
        "path and query have more than \(ServiceLimits.requestTargetBytes) bytes")

    /// Checks the request target ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)); returns `nil`
    /// if it is valid.
    private static func target(_ head: HTTPRequestHead) -> Problem? {
        guard head.uri.utf8.count <= ServiceLimits.requestTargetBytes else { return targetTooLong }
        guard head.method != .CONNECT else {
            return Problem(
                .notImplemented, "unknown-method", "The method is not known",
                "CONNECT is for proxies, which this is none")
        }
        guard !head.uri.utf8.contains(UInt8(ascii: "#")) else {
            return malformed("the target has a fragment, which stays with the client")
        }
        if head.uri.hasPrefix("/") { return nil }
        if head.uri == "*" { return head.method == .OPTIONS ? nil : malformed("the target * is for OPTIONS only") }
        guard !head.uri.lowercased().hasPrefix("https://") else {
            return Problem(
                HTTPResponse.Status(code: 421), "misdirected-request", "The request belongs to another connection",
                "a target with https:// does not come over a connection without TLS; send the path alone")
        }
        guard head.uri.lowercased().hasPrefix("http://") else {
            return malformed("the target is neither a path nor an address of http")
        }
        return nil
    }

    /// Checks `Host` ([RFC 9112 §3.2](https://www.rfc-editor.org/rfc/rfc9112#section-3.2)); returns `nil` if it is
    /// valid.
    private static func host(_ head: HTTPRequestHead) -> Problem? {
        let hosts = head.headers["host"]
        guard hosts.count <= 1 else { return malformed("the header Host stands twice") }
        guard let host = hosts.first else {
            return head.version == .http1_0 ? nil : malformed("the header Host is missing")
        }
        return isHost(host) ? nil : malformed("the header Host is not a host with or without a port")
    }

    /// Returns whether a text is a host with an optional port, as RFC 3986 defines it.
    ///
    /// The host may be empty.
    private static func isHost(_ text: String) -> Bool {
        // Every request has this header, so its bytes are compared, not its characters.
        var rest = text.utf8[...]
        let colon = UInt8(ascii: ":")
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let address = rest[..<end].dropFirst()
            rest = rest[end...].dropFirst()
            return !address.isEmpty && address.allSatisfy { isOfName($0) || $0 == colon }
                && (rest.isEmpty || isPort(rest))
        }
        let end = rest.firstIndex(of: colon) ?? rest.endIndex
        return rest[..<end].allSatisfy(isOfName) && (end == rest.endIndex || isPort(rest[end...]))
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~!$&'()*+,;=%".utf8.contains(byte)
        }
    }

    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        text.first == UInt8(ascii: ":")
            && text.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Checks the transfer coding ([RFC 9112 §6.1](https://www.rfc-editor.org/rfc/rfc9112#section-6.1), §6.3); returns
    /// `nil` if it is valid.
    ///
    /// The parser itself refuses `Transfer-Encoding` together with `Content-Length`, and `chunked` before another
    /// coding.
    private static func framing(_ head: HTTPRequestHead) -> Problem? {
        guard head.headers.contains(name: "transfer-encoding") else { return nil }
        let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
        guard head.version != .http1_0 else { return malformed("version 1.0 of HTTP has no Transfer-Encoding") }
        guard codings.last == "chunked" else {
            return malformed("the last transfer coding is not chunked, so the body's end is not known")
        }
        guard codings.count == 1 else {
            return Problem(
                .notImplemented, "transfer-coding", "The transfer coding is not known",
                "the only transfer coding that is read is chunked")
        }
        return nil
    }

    /// Checks `Expect` ([RFC 9110 §10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)); returns `nil` if it
    /// is valid or absent.
    private static func expectation(_ head: HTTPRequestHead) -> Problem? {
        let other = head.headers[canonicalForm: "expect"].contains { $0.lowercased() != "100-continue" }
        guard other, head.version != .http1_0 else { return nil }
        return Problem(
            .expectationFailed, "expectation", "The expectation cannot be met",
            "the only expectation that is met is 100-continue")
    }
}
