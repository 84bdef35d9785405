import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

extension ServiceContext {
    /// Finds out who is calling.
    var callers: CallerAuthentication { CallerAuthentication(self) }
}

/// Who is calling: a backend with an API key, or an installation with its secret.
struct CallerAuthentication: Sendable {
    private let keys: APIKeys
    private let store: any Store

    init(_ service: ServiceContext) {
        keys = APIKeys(store: service.store, clock: service.clock, random: service.random)
        store = service.store
    }

    /// The API key of the backend that calls.
    ///
    /// - Throws: 401 without a valid key, 403 when the key lacks the scope.
    func backend(_ request: Request, may scope: APIScope) async throws -> APIKeyRecord {
        let token = try Self.bearer(request, "Authorization: Bearer <API key>")
        guard let record = try await keys.record(for: token) else {
            throw Problem.unauthorized("this API key is not known or was revoked; `carillon api-keys create` makes one")
        }
        guard record.scopes.contains(scope) || record.scopes.contains(.admin) else {
            let scopes = record.scopes.map(\.rawValue).sorted().joined(separator: ", ")
            throw Problem.forbidden("this API key has the scopes \(scopes); the call needs \(scope.rawValue)")
        }
        return record
    }

    /// The installation that calls; `id` is the one in the path, `nil` when the path names none.
    ///
    /// - Throws: 401 without valid credentials, 403 when they are another installation's.
    func installation(_ request: Request, is id: String? = nil) async throws -> DeviceRecord {
        let form = "Authorization: Bearer <installation>:<secret>"
        let parts = try Self.bearer(request, form).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, parts[1].utf8.count <= ServiceLimits.secretCharacters.upperBound,
            let device = try await store.device(String(parts[0])),
            SecretHash.isEqual(device.secretHash, SecretHash.of(String(parts[1])))
        else {
            throw Problem.unauthorized(
                "these credentials belong to no registered installation; send \(form), after POST /v1/devices")
        }
        guard id == nil || id == device.id else {
            throw Problem.forbidden("these credentials belong to another installation")
        }
        return device
    }

    private static func bearer(_ request: Request, _ form: String) throws -> String {
        guard let header = request.headers[.authorization] else {
            throw Problem.unauthorized("the header is missing: send \(form)")
        }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else {
            throw Problem.unauthorized("the header is not understood: send \(form)")
        }
        return String(parts[1])
    }
}
