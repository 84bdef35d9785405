import CarillonCore
import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Sends the SDK's HTTP requests.
///
/// An app uses ``URLSessionTransport``; a test provides a transport of its own that records and answers the requests.
package protocol ServiceTransport: Sendable {
    /// Sends the request once.
    ///
    /// - Parameter request: the request, with its credentials in the header `Authorization`.
    /// - Returns: the answer; a status of 400 or more is an answer too.
    /// - Throws: any error if no answer came: no network, unknown host, time-out. The SDK tries again later.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}

/// One request to the Carillon service.
package struct ServiceRequest: Sendable, Hashable {
    /// The HTTP method: `GET`, `POST`, `PATCH` or `DELETE`.
    package var method: String
    /// The absolute URL of the request.
    package var url: URL
    /// The header fields by name; each name occurs once.
    package var headers: [String: String]
    /// The body: JSON in UTF-8; `nil` if there is none.
    package var body: Data?

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - method: `GET`, `POST`, `PATCH` or `DELETE`.
    ///   - url: an absolute URL.
    ///   - headers: the default is none.
    ///   - body: JSON in UTF-8; the default is none.
    package init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// An answer of the service, with any status.
package struct ServiceResponse: Sendable, Hashable {
    /// The HTTP status, for instance 200.
    package var status: Int
    /// The body: JSON in UTF-8; empty if there is none.
    package var body: Data
    /// The wait that the service asks for before the next attempt, from the header `Retry-After`.
    ///
    /// `nil` if the header is missing or contains a date.
    package var retryAfter: Duration?
    /// The header `Carillon-Problem`: the name of the problem that the service reports; `nil` if the header is missing.
    package var problem: String?

    /// Makes an answer.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - body: JSON in UTF-8; the default is none.
    ///   - problem: the value of the header `Carillon-Problem`; the default is none.
    ///   - retryAfter: the value of the header `Retry-After`; `nil`, the default, if there is none. Values other than a whole
    ///     number of seconds are ignored ([RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3)).
    package init(status: Int, body: Data = Data(), problem: String? = nil, retryAfter: String? = nil) {
        self.status = status
        self.body = body
        self.problem = problem
        self.retryAfter = retryAfter.flatMap { UInt32($0) }.map { .seconds($0) }
    }
}

/// Sends requests through `URLSession`, without cache and cookies.
package final class URLSessionTransport: ServiceTransport {
    private let session: URLSession
    private let isOnline: @Sendable () -> Bool

    /// Makes a transport that creates its own `URLSession`.
    ///
    /// - Parameters:
    ///   - platform: the phone; a simulated phone without a network sends no requests.
    ///   - base: the configuration of the `URLSession`; the default is ephemeral. The transport overrides timeout, cookies and
    ///     cache.
    ///   - timeout: the longest time without data, in whole seconds. `nil`, the default, means 15 seconds, half of the time that
    ///     iOS gives an app that a push has woken.
    package init(
        platform: AppPlatform, session base: URLSessionConfiguration = .ephemeral, timeout: Duration? = nil
    ) {
        let timeout = timeout ?? AppLimits.requestTime
        let configuration = base.copy() as? URLSessionConfiguration ?? base
        configuration.timeoutIntervalForRequest = Double(timeout.components.seconds)
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
        isOnline = platform.isOnline
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Sends the request once.
    ///
    /// - Parameter request: sent unchanged.
    /// - Returns: the answer, with any status.
    /// - Throws: `URLError` if no answer came or the answer exceeds 1 MiB; ``OfflineError`` if the phone is offline.
    package func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard isOnline() else { throw OfflineError() }
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: urlRequest)
        guard isOnline() else { throw OfflineError() }
        guard let response = response as? HTTPURLResponse, body.count <= AppLimits.answerBytes else {
            throw URLError(.badServerResponse)
        }
        return ServiceResponse(
            status: response.statusCode, body: body,
            problem: response.value(forHTTPHeaderField: ProblemDocument.header),
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
    }
}

/// The error for a request that is made while the phone has no network.
package struct OfflineError: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}
    package var description: String { "this phone is offline" }
}
