/// Why a request to the service failed.
package struct ServiceCallError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure, each with an explanation for the developer.
    enum Problem: Sendable {
        /// No answer came; the service may or may not have received the request.
        case notSent(String)
        /// The service refused, with this HTTP status.
        case refused(Int, String)
        /// The answer could not be decoded.
        case notUnderstood(String)
    }

    /// Method and collection: `POST receipts`.
    let request: String
    let problem: Problem
    /// How long the service asks to be left alone; `nil` where it asks for nothing.
    package private(set) var retryAfter: Duration?

    /// - Parameters:
    ///   - request: method and collection.
    ///   - problem: why it failed.
    ///   - retryAfter: how long the service asks to be left alone; the default is `nil`.
    init(request: String, problem: Problem, retryAfter: Duration? = nil) {
        self.request = request
        self.problem = problem
        self.retryAfter = retryAfter
    }

    /// Whether the service does not know this installation, or not with this secret: 401 or 404.
    package var isUnknownInstallation: Bool {
        if case .refused(let status, _) = problem { status == 401 || status == 404 } else { false }
    }

    /// Whether no answer came: there is no network, or no service.
    package var isMissingAnswer: Bool {
        if case .notSent = problem { true } else { false }
    }

    /// Whether the installation's id is in use with another secret: 403 or 409.
    package var isConflict: Bool {
        if case .refused(let status, _) = problem { status == 403 || status == 409 } else { false }
    }

    /// Whether sending the same again cannot help: 4xx, except 408 (timeout) and 429 (too many requests).
    package var isFinal: Bool {
        guard case .refused(let status, _) = problem else { return false }
        return (400..<500).contains(status) && status != 429 && status != 408
    }

    package var description: String {
        switch problem {
        case .notSent(let reason): reason
        case .refused(let status, let title): "\(status) \(title)"
        case .notUnderstood(let reason): "the answer could not be decoded: \(reason)"
        }
    }
}
