import Foundation

/// One request to the Carillon service.
package struct ServiceRequest: Sendable, Hashable {
    /// `GET`, `POST`, `PATCH` or `DELETE`.
    package var method: String
    /// The absolute URL.
    package var url: URL
    /// Header fields by name; each occurs once.
    package var headers: [String: String]
    /// JSON in UTF-8; `nil` for none.
    package var body: Data?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: `GET`, `POST`, `PATCH` or `DELETE`.
    ///   - url: absolute.
    ///   - headers: the default is none.
    ///   - body: JSON in UTF-8; the default is none.
    package init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}
