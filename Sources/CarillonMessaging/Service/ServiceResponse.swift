import Foundation

/// What the service answered, whatever its status.
package struct ServiceResponse: Sendable, Hashable {
    /// The HTTP status, for instance 200.
    package var status: Int
    /// JSON in UTF-8; empty for none.
    package var body: Data
    /// How long the service asks the caller to wait before the next attempt, from the header `Retry-After`; `nil` where it
    /// asks for nothing, or names a date.
    package var retryAfter: Duration?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - body: JSON in UTF-8; the default is none.
    ///   - retryAfter: the value of the header `Retry-After`, as it came; `nil`, the default, where there is none. Anything
    ///     but a whole number of seconds is ignored
    ///     ([RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
    package init(status: Int, body: Data = Data(), retryAfter: String? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter.flatMap { UInt32($0) }.map { .seconds($0) }
    }
}
