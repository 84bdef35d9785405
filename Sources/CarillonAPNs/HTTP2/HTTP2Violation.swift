/// A violation of an HTTP/2 rule by the server.
///
/// A violation ends the connection ([RFC 9113 §5.4.1](https://www.rfc-editor.org/rfc/rfc9113#section-5.4.1)).
struct HTTP2Violation: Error, Sendable, Hashable, CustomStringConvertible {
    /// The error code for GOAWAY.
    let code: HTTP2Code
    /// A description of the violation.
    let message: String

    init(_ code: HTTP2Code, _ message: String) {
        self.code = code
        self.message = message
    }

    var description: String { "\(message) (\(code))" }
}
