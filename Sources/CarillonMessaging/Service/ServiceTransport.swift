/// How the SDK sends HTTP requests.
///
/// An app uses ``URLSessionTransport``; a test writes its own, which records requests and answers them.
package protocol ServiceTransport: Sendable {
    /// Sends the request once.
    ///
    /// - Parameter request: with its credentials in the header `Authorization`.
    /// - Returns: the answer; a status of 400 or more is an answer too.
    /// - Throws: any error when no answer came: no network, no such host, no time left. The SDK tries again later.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}
