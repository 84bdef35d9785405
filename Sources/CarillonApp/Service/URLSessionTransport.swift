import Foundation

#if canImport(FoundationNetworking)  // On Linux, URLSession is a module of its own.
    import FoundationNetworking
#endif

/// Talks HTTP through `URLSession`: nothing is cached, no cookies are kept.
public final class URLSessionTransport: ServiceTransport {
    /// What an answer may have at most; a longer one is an error.
    public static let answerByteLimit = 1 << 20

    private let session: URLSession
    private let isOnline: @Sendable () -> Bool

    /// - Parameters:
    ///   - platform: says whether the phone has a network, where `URLSession` does not know it by itself.
    ///   - timeout: how long one request may take. The default is 15 seconds: a wake in the background lasts 30.
    public init(platform: AppPlatform, timeout: Duration = .seconds(15)) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = Double(timeout.components.seconds)
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
        isOnline = platform.isOnline
    }

    deinit { session.finishTasksAndInvalidate() }

    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard isOnline() else { throw OfflineError() }
        var urlRequest = URLRequest(url: request.url)
        urlRequest.httpMethod = request.method
        urlRequest.httpBody = request.body
        for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await session.data(for: urlRequest)
        guard isOnline() else { throw OfflineError() }
        guard let response = response as? HTTPURLResponse, body.count <= Self.answerByteLimit else {
            throw URLError(.badServerResponse)
        }
        return ServiceResponse(status: response.statusCode, body: body)
    }
}
