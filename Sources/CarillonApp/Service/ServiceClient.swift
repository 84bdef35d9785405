import CarillonCore
import Foundation

/// What an installation says to the service, one method for each request.
struct ServiceClient: Sendable {
    let url: URL
    let transport: any ServiceTransport

    /// `POST /v1/devices`
    func register(_ registration: Registration, as identity: InstallationIdentity) async throws(ServiceCallError)
        -> RegistrationAnswer
    {
        try await exchange("POST", ["devices"], as: identity, body: registration)
    }

    /// `GET /v1/devices/{id}/sync`
    func sync(as identity: InstallationIdentity) async throws(ServiceCallError) -> SyncAnswer {
        try await exchange("GET", ["devices", identity.installation, "sync"], as: identity, body: String?.none)
    }

    /// `POST /v1/receipts`
    func send(_ receipts: [Receipt], as identity: InstallationIdentity) async throws(ServiceCallError) -> SyncAnswer {
        try await exchange("POST", ["receipts"], as: identity, body: ReceiptBatch(receipts: receipts))
    }

    /// `PATCH /v1/devices/{id}`
    func change(_ change: DeviceChange, as identity: InstallationIdentity) async throws(ServiceCallError)
        -> RegistrationAnswer
    {
        try await exchange("PATCH", ["devices", identity.installation], as: identity, body: change)
    }

    /// `GET /v1/devices/{id}/inbox`: the first page, the newest 100 messages.
    func inbox(as identity: InstallationIdentity) async throws(ServiceCallError) -> InboxAnswer {
        try await exchange("GET", ["devices", identity.installation, "inbox"], as: identity, body: String?.none)
    }

    /// `POST /v1/devices/{id}/read`
    func markRead(_ messages: [MessageRevision], as identity: InstallationIdentity) async throws(ServiceCallError)
        -> SyncAnswer
    {
        try await exchange(
            "POST", ["devices", identity.installation, "read"], as: identity, body: ["messages": messages])
    }

    /// `DELETE /v1/devices/{id}/user`
    func signOut(as identity: InstallationIdentity) async throws(ServiceCallError) {
        _ = try await answer("DELETE", ["devices", identity.installation, "user"], as: identity, body: nil)
    }

    // MARK: Private

    private func exchange<Answer: Decodable>(
        _ method: String, _ path: [String], as identity: InstallationIdentity, body: (some Encodable)?
    ) async throws(ServiceCallError) -> Answer {
        let name = "\(method) \(path[0])"
        let encoded: Data?
        do { encoded = try body.map { try CarillonJSON.encode($0) } } catch {
            throw ServiceCallError(request: name, problem: .notSent("\(error)"))
        }
        let data = try await answer(method, path, as: identity, body: encoded)
        do { return try CarillonJSON.decode(Answer.self, from: data) } catch {
            throw ServiceCallError(request: name, problem: .notUnderstood("\(error)"))
        }
    }

    private func answer(
        _ method: String, _ path: [String], as identity: InstallationIdentity, body: Data?
    ) async throws(ServiceCallError) -> Data {
        let target = path.reduce(url.appendingPathComponent("v1")) { $0.appendingPathComponent($1) }
        var request = ServiceRequest(
            method: method, url: target,
            headers: ["Authorization": identity.authorization, "Accept": "application/json"], body: body)
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let response: ServiceResponse
        do { response = try await transport.send(request) } catch {
            throw ServiceCallError(request: "\(method) \(path[0])", problem: .notSent("\(error)"))
        }
        guard (200..<300).contains(response.status) else {
            throw ServiceCallError(
                request: "\(method) \(path[0])", problem: .refused(response.status, Self.title(response)))
        }
        return response.body
    }

    /// The `title` and `detail` of an `application/problem+json`, shortened: what went wrong and what to do.
    private static func title(_ response: ServiceResponse) -> String {
        let json = try? JSONValue(parsing: response.body)
        let parts = [json?["title"]?.stringValue, json?["detail"]?.stringValue].compactMap { $0 }
        return String(parts.joined(separator: ": ").prefix(300))
    }
}

/// Why a request to the service came to nothing.
struct ServiceCallError: Error, Sendable, CustomStringConvertible {
    enum Problem: Sendable {
        /// No answer came; the service may or may not have heard.
        case notSent(String)
        case refused(Int, String)
        case notUnderstood(String)
    }

    let request: String
    let problem: Problem

    /// The service does not know this installation, or not by this secret.
    var isUnknownInstallation: Bool {
        if case .refused(let status, _) = problem { status == 401 || status == 404 } else { false }
    }

    /// No answer came: there is no network, or no service.
    var isMissingAnswer: Bool {
        if case .notSent = problem { true } else { false }
    }

    /// The installation's id belongs to somebody else, by another secret.
    var isConflict: Bool {
        if case .refused(let status, _) = problem { status == 403 || status == 409 } else { false }
    }

    /// Saying the same again will not help: 4xx, but for "too many" and "too slow".
    var isFinal: Bool {
        guard case .refused(let status, _) = problem else { return false }
        return (400..<500).contains(status) && status != 429 && status != 408
    }

    var description: String {
        switch problem {
        case .notSent(let reason): reason
        case .refused(let status, let title): "\(status) \(title)"
        case .notUnderstood(let reason): "the answer makes no sense: \(reason)"
        }
    }
}
