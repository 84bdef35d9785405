import Foundation

/// One request to the Carillon service.
public struct ServiceRequest: Sendable, Hashable {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    public var method: String
    /// The absolute URL.
    public var url: URL
    /// Header fields by name; each occurs once.
    public var headers: [String: String]
    /// JSON in UTF-8; `nil` for none.
    public var body: Data?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: `GET`, `POST`, `PATCH` or `DELETE`.
    ///   - url: absolute.
    ///   - headers: the default is none.
    ///   - body: JSON in UTF-8; the default is none.
    public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
