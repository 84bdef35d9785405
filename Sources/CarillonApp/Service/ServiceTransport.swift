import Foundation

/// One request to the Carillon service.
public struct ServiceRequest: Sendable, Hashable {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    public var method: String
    public var url: URL
    public var headers: [String: String]
    /// JSON in UTF-8; `nil` for none.
    public var body: Data?

    public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What the service answered, whatever its status.
public struct ServiceResponse: Sendable, Hashable {
    /// The HTTP status, for instance 200.
    public var status: Int
    public var body: Data

    public init(status: Int, body: Data = Data()) {
        self.status = status
        self.body = body
    }
}

/// How the SDK talks HTTP. ``URLSessionTransport`` is what an app uses; a test writes its own, which records and
/// answers.
public protocol ServiceTransport: Sendable {
    /// Sends the request once.
    ///
    /// - Returns: the answer; a status of 400 or more is an answer too.
    /// - Throws: any error when no answer came: no network, no such host, too late.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}

/// There is no network at this moment.
public struct OfflineError: Error, Sendable, Hashable, CustomStringConvertible {
    public init() {}
    public var description: String { "this phone is offline" }
}
