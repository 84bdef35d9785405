import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Sends requests through `URLSession`, without cache and cookies.
package final class URLSessionTransport: ServiceTransport {
    private let session: URLSession
    private let isOnline: @Sendable () -> Bool

    /// Makes a transport with a session of its own.
    ///
    /// - Parameters:
    ///   - platform: says whether the phone has a network, where `URLSession` does not know that.
    ///   - base: how requests travel; the default is ephemeral. Timeout, cookies and cache are set here.
    ///   - timeout: how long a request may go without data, in whole seconds. `nil`, the default, stands for 15 seconds,
    ///     half of a wake in the background.
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
    /// - Parameter request: sent as it is.
    /// - Returns: the answer, whatever its status.
    /// - Throws: `URLError` when no answer came, or one of more than 1 MiB; another error when the phone is offline.
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
            status: response.statusCode, body: body, retryAfter: response.value(forHTTPHeaderField: "Retry-After"))
    }
}
