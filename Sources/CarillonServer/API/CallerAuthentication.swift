import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

extension ServiceContext {
    /// The authentication of callers by the API keys and secrets in this service's store.
    var callers: CallerAuthentication { CallerAuthentication(self) }
}

/// Authenticates a caller: a backend by its API key, or an installation by its secret.
struct CallerAuthentication: Sendable {
    private let service: ServiceContext

    init(_ service: ServiceContext) { self.service = service }

    /// A backend, and the app on whose behalf it calls.
    struct Backend: Sendable {
        var key: APIKeyRecord
        var app: AppReference

        /// The name under which the audit list records what the backend does.
        var actor: AuditActor { AuditActor(key) }
    }

    /// Returns the API key of the calling backend.
    ///
    /// - Throws: ``Problem`` 401 without a valid key, 403 if the key lacks the scope, 429 if the caller calls too
    ///   often.
    func key(_ request: Request, may scope: APIScope) async throws -> APIKeyRecord {
        let credentials = try Credentials.of(request, "Authorization: Bearer <API key>")
        if let credentials { try admit(credentials, request) }
        guard let credentials, let record = try await record(for: credentials) else {
            throw Problem.unauthorized("this API key is not known or was revoked; `carillon api-keys create` makes one")
        }
        if let end = record.expires, end <= service.clock.now {
            throw Problem.unauthorized(
                "this API key expired at \(end); `carillon api-keys rotate \(record.id)` makes a new one like it")
        }
        guard record.scopes.contains(scope) || record.scopes.contains(.admin) else {
            let scopes = record.scopes.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem.forbidden(
                "this API key has the scopes \(scopes); the call needs \(scope.rawValue) (`carillon api-keys create --scope`)"
            )
        }
        BodyCount.current?.belongs(to: .key(record.id))
        return record
    }

    /// Returns the stored key that matches the credentials; `nil` if they are no API key, or an unknown, wrong or revoked one.
    private func record(for credentials: Credentials) async throws -> APIKeyRecord? {
        guard case .key(let id, let secret) = credentials, let record = try await validRecord(id) else { return nil }
        return SecretHash.isEqual(record.secretHash, SecretHash.of(secret)) ? record : nil
    }

    /// Returns the key with this id, from the cache or the store; `nil` if the key is unknown or revoked.
    private func validRecord(_ id: String) async throws -> APIKeyRecord? {
        let uptime = service.clock.uptime
        if let record = service.apiKeys.withLock({ $0.record(id, at: uptime) }) { return record }
        guard let record = try await service.store.apiKey(id), record.revoked == nil else { return nil }
        service.apiKeys.withLock { $0.keep(record, asked: uptime, at: service.clock.now) }
        return record
    }

    /// Returns the calling backend, with the app that the query's parameter `topic` names.
    ///
    /// A caller whose key is for one app only may leave `topic` out.
    ///
    /// - Throws: ``Problem`` 401 and 403 like ``key(_:may:)``. ``Problem`` 422 if the key has several apps and `topic` is
    ///   missing, or if the key may not use the app, whether or not that app exists.
    func backend(_ request: Request, may scope: APIScope) async throws -> Backend {
        let key = try await key(request, may: scope)
        return Backend(key: key, app: try Self.app(of: key, named: Self.topic(request), pointer: nil))
    }

    /// Returns the query's parameter `topic`; `nil` if the query has none.
    static func topic(_ request: Request) -> String? { request.uri.queryParameters.get("topic") }

    /// Returns the app that a call is about.
    ///
    /// - Parameters:
    ///   - key: the caller's key.
    ///   - topic: the bundle id of the app that the call names; `nil` if it names none.
    ///   - pointer: the JSON pointer of `topic` in the body; `nil` if the query names the app.
    /// - Returns: the app.
    /// - Throws: ``Problem`` 422 if the key has several apps and `topic` is missing, or if the key may not use the app.
    static func app(of key: APIKeyRecord, named topic: String?, pointer: String?) throws(Problem) -> AppReference {
        let names = key.apps.map(\.topic).joined(separator: ", ")
        guard let topic else {
            if let app = key.apps.first, key.apps.count == 1 { return app }
            guard !key.apps.isEmpty else {
                throw .conflict(
                    "no-app", "this service has no app yet; `carillon apps add` or `carillon serve --topic` makes one")
            }
            let place = pointer == nil ? "add ?topic= to the path" : #"add "topic" to the body"#
            throw Problem(
                .unprocessableContent, "app-missing", "The call does not say which app",
                "this API key is for several apps (\(names)): \(place)", pointer: pointer)
        }
        guard let app = key.apps.first(where: { $0.topic.utf8.elementsEqual(topic.utf8) }) else {
            throw Problem(
                .unprocessableContent, "other-app", "The caller's key is not for this app",
                "names an app that this API key is not for; it is for \(names.isEmpty ? "none" : names)",
                pointer: pointer)
        }
        return app
    }

    /// Returns whether a caller sends an API key rather than an installation's credentials.
    static func isBackend(_ request: Request) -> Bool {
        guard case .key = try? Credentials.of(request, "") else { return false }
        return true
    }

    /// Returns the calling installation; if `id` is not `nil`, only the installation with this id may call.
    ///
    /// - Throws: ``Problem`` 401 without valid credentials, or if another installation has meanwhile registered this
    ///   installation's device token. ``Problem`` 403 if the credentials belong to another installation, 429 if the caller calls
    ///   too often.
    func installation(_ request: Request, is id: String? = nil) async throws -> DeviceRecord {
        let form = "Authorization: Bearer <installation>:<secret>"
        let credentials = try Credentials.of(request, form)
        if let credentials { try admit(credentials, request) }
        guard case .installation(let installation, let secret)? = credentials,
            let device = try await service.store.device(installation),
            SecretHash.isEqual(device.secretHash, SecretHash.of(secret))
        else {
            throw Problem.unauthorized(
                "these credentials belong to no registered installation; send \(form), after POST /v1/devices")
        }
        guard device.state != .superseded else {
            throw Problem.unauthorized(
                "another installation has registered this one's device token since; POST /v1/devices registers it again"
            )
        }
        guard id == nil || id == device.id else {
            throw Problem.forbidden("these credentials belong to another installation")
        }
        BodyCount.current?.belongs(to: .installation)
        return device
    }

    /// Counts a request toward the limits of the caller that sends the credentials.
    ///
    /// A body of unknown length counts as the largest possible body.
    ///
    /// - Throws: ``Problem`` 429 if the caller calls too often or sends too much.
    func admit(_ credentials: Credentials, _ request: Request) throws(Problem) {
        let isChunked = request.headers[.transferEncoding] != nil
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? (isChunked ? .max : 0)
        let uptime = service.clock.uptime
        let refusal = service.calls.withLock { $0.admit(credentials, bytes: length, at: uptime) }
        if let refusal { throw .tooManyCalls(refusal) }
    }
}
