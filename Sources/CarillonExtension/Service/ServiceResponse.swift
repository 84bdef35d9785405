import Foundation

/// What the service answered, whatever its status.
public struct ServiceResponse: Sendable, Hashable {
    /// The HTTP status, for instance 200.
    public var status: Int
    /// JSON in UTF-8; empty for none.
    public var body: Data

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - body: JSON in UTF-8; the default is none.
    public init(status: Int, body: Data = Data()) {
        self.status = status
        self.body = body
    }
}
