import CarillonCore
import Foundation

/// A client of the service's API for installations, with one method for each request.
package struct ServiceClient: Sendable {
    /// The service's address, without `/v1`.
    let url: URL
    let transport: any ServiceTransport

    /// Creates a client; no request is sent yet.
    ///
    /// - Parameters:
    ///   - url: the service's address, without `/v1`.
    ///   - transport: sends the requests.
    package init(url: URL, transport: any ServiceTransport) {
        self.url = url
        self.transport = transport
    }

    /// Registers the installation with all its facts: `POST /v1/devices`.
    ///
    /// The requests about one installation have increasing numbers: `sequence`.
    package func register(
        _ registration: Registration, _ sequence: Int64, as identity: InstallationIdentity
    ) async throws(ServiceCallError) -> RegistrationAnswer {
        try await exchange("POST", ["devices"], as: identity, body: registration, sequence)
    }

    /// Fetches the notifications to remove and the badge number: `GET /v1/devices/{id}/sync`.
    package func sync(as identity: InstallationIdentity) async throws(ServiceCallError) -> SyncAnswer {
        try await exchange("GET", ["devices", identity.installation, "sync"], as: identity, body: String?.none)
    }

    /// Sends receipts: `POST /v1/receipts`.
    package func send(_ receipts: [Receipt], as identity: InstallationIdentity) async throws(ServiceCallError)
        -> SyncAnswer
    {
        try await exchange("POST", ["receipts"], as: identity, body: ReceiptBatch(receipts: receipts))
    }

    /// Sends receipts of Live Activities, and fetches the newest states: `POST /v1/devices/{id}/live-activities`.
    package func report(_ receipts: [LiveActivityReceipt], as identity: InstallationIdentity)
        async throws(ServiceCallError) -> LiveActivityStates
    {
        try await exchange(
            "POST", ["devices", identity.installation, "live-activities"], as: identity,
            body: LiveActivityReceipts(receipts: receipts))
    }

    /// Sends changes of the installation's facts: `PATCH /v1/devices/{id}`.
    package func change(
        _ change: DeviceChange, _ sequence: Int64, as identity: InstallationIdentity
    ) async throws(ServiceCallError) -> RegistrationAnswer {
        try await exchange("PATCH", ["devices", identity.installation], as: identity, body: change, sequence)
    }

    /// Fetches the newest 100 messages, the first page of the inbox: `GET /v1/devices/{id}/inbox`.
    package func inbox(as identity: InstallationIdentity) async throws(ServiceCallError) -> InboxAnswer {
        try await exchange("GET", ["devices", identity.installation, "inbox"], as: identity, body: String?.none)
    }

    /// Reports messages that the person has read: `POST /v1/devices/{id}/read`.
    package func markRead(_ messages: [MessageRevision], as identity: InstallationIdentity)
        async throws(ServiceCallError)
        -> SyncAnswer
    {
        try await exchange(
            "POST", ["devices", identity.installation, "read"], as: identity, body: ["messages": messages])
    }

    /// Sends back the nonce that the service has pushed to the device token, as proof that this phone holds the token.
    ///
    /// The request is `POST /v1/devices/{id}/token`.
    package func claimToken(nonce: String, as identity: InstallationIdentity) async throws(ServiceCallError)
        -> RegistrationAnswer
    {
        try await exchange(
            "POST", ["devices", identity.installation, "token"], as: identity, body: ["nonce": nonce])
    }

    /// Unbinds the installation from its user: `DELETE /v1/devices/{id}/user`.
    package func signOut(
        _ sequence: Int64, as identity: InstallationIdentity
    ) async throws(ServiceCallError) -> SyncAnswer {
        // The body is decoded, because a proxy in between may answer 200 with a page of its own.
        try await exchange(
            "DELETE", ["devices", identity.installation, "user"], as: identity, body: String?.none, sequence)
    }

    // MARK: Private

    private func exchange<Answer: Decodable>(
        _ method: String, _ path: [String], as identity: InstallationIdentity, body: (some Encodable)?,
        _ sequence: Int64? = nil
    ) async throws(ServiceCallError) -> Answer {
        let name = "\(method) \(path[0])"
        let encoded: Data?
        do { encoded = try body.map { try CarillonJSON.encode($0) } } catch {
            throw ServiceCallError(request: name, problem: .notSent("\(error)"))
        }
        let data = try await answer(method, path, as: identity, body: encoded, sequence)
        do { return try CarillonJSON.decode(Answer.self, from: data) } catch {
            throw ServiceCallError(request: name, problem: .notUnderstood("\(error)"))
        }
    }

    private func answer(
        _ method: String, _ path: [String], as identity: InstallationIdentity, body: Data?, _ sequence: Int64?
    ) async throws(ServiceCallError) -> Data {
        let target = path.reduce(url.appendingPathComponent("v1")) { $0.appendingPathComponent($1) }
        var request = ServiceRequest(
            method: method, url: target,
            headers: ["Authorization": identity.authorization, "Accept": "application/json"], body: body)
        if body != nil { request.headers["Content-Type"] = "application/json" }
        request.headers[SyncAnswer.sequenceHeader] = sequence.map(String.init)
        let response: ServiceResponse
        do { response = try await transport.send(request) } catch {
            throw ServiceCallError(request: "\(method) \(path[0])", problem: .notSent("\(error)"))
        }
        guard (200..<300).contains(response.status) else {
            throw ServiceCallError(
                request: "\(method) \(path[0])", problem: Self.refusal(response),
                retryAfter: response.retryAfter)
        }
        return response.body
    }

    /// Returns the reason for a refusal, and whether the service or a proxy refused the request.
    ///
    /// The refusal is the service's own if the response's header and body name the same problem.
    private static func refusal(_ response: ServiceResponse) -> ServiceCallError.Problem {
        guard let document = try? CarillonJSON.decode(ProblemDocument.self, from: response.body),
            document.type.hasPrefix(ProblemDocument.typePrefix), document.name == response.problem
        else { return .refusedByAnother(response.status) }
        let text = "\(document.title): \(document.detail)".prefix(AppLimits.problemCharacters)
        return .refused(response.status, document.name, String(text))
    }
}

/// The reason why a request to the service failed.
package struct ServiceCallError: Error, Sendable, CustomStringConvertible {
    /// The kinds of failure of a request, each with an explanation for the developer.
    package enum Problem: Sendable {
        /// No answer came; the service may or may not have received the request.
        case notSent(String)
        /// The service refused the request: the HTTP status, the problem's name, and its explanation.
        case refused(Int, String, String)
        /// A proxy, a firewall or an ingress refused the request with this HTTP status; the service's state is unknown.
        case refusedByAnother(Int)
        /// The answer could not be decoded.
        case notUnderstood(String)
    }

    /// The HTTP method and the first component of the path after `/v1`, for instance `POST receipts`.
    let request: String
    let problem: Problem
    /// The wait that the service asks for; `nil` if it asks for none.
    package private(set) var retryAfter: Duration?

    /// Creates the error of one failed request.
    ///
    /// - Parameters:
    ///   - request: the HTTP method and the first component of the path after `/v1`, for instance `POST receipts`.
    ///   - problem: the reason for the failure.
    ///   - retryAfter: the wait that the service asks for; the default is `nil`.
    package init(request: String, problem: Problem, retryAfter: Duration? = nil) {
        self.request = request
        self.problem = problem
        self.retryAfter = retryAfter
    }

    /// The name of the problem that the service reports; `nil` if the refusal did not come from the service.
    private var name: String? {
        if case .refused(_, let name, _) = problem { name } else { nil }
    }

    /// Whether the service does not know this installation, or knows it with another secret.
    package var isUnknownInstallation: Bool { name == "unauthorized" || name == "no-such-device" }

    /// Whether the service did not answer: the network or the service is unreachable, or a proxy blocks the request.
    ///
    /// A load balancer's 429 or 5xx counts as an answer, so that the wait that it asks for is respected.
    package var isMissingAnswer: Bool {
        switch problem {
        case .notSent: true
        case .refusedByAnother(let status): status < 500 && status != 429
        case .refused, .notUnderstood: false
        }
    }

    /// Whether the installation's id is in use with another secret, or for another app.
    package var isConflict: Bool { name == "wrong-secret" || name == "other-app" }

    /// Whether the service refuses this installation because no user is signed in.
    package var requiresSignIn: Bool { name == "sign-in-required" }

    /// Whether the service has read the request and will never accept it.
    package var isFinal: Bool {
        ["malformed-json", "invalid-value", "body-too-large", "content-coding"].contains(name)
    }

    package var description: String {
        switch problem {
        case .notSent(let reason): reason
        case .refused(let status, _, let text): "\(status) \(text)"
        case .refusedByAnother(let status): "\(status), which the Carillon service did not say: is this its address?"
        case .notUnderstood(let reason): "the answer could not be decoded: \(reason)"
        }
    }
}
