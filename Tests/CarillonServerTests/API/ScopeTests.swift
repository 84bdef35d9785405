import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

/// Every route with every kind of caller.
@Suite("Who may call what") struct ScopeTests {
    /// A kind of caller that a route lets in, besides a key with the scope `admin`, which every route for keys lets in.
    private enum Caller: Hashable {
        case anyone
        case key(APIScope)
        /// The installation that the path or the body is about.
        case installation
    }

    /// `{id}` is a message, an installation or a user that exists.
    private static let callers: [String: Set<Caller>] = [
        "POST /v1/notifications": [.key(.send)],
        "GET /v1/notifications": [.key(.read)],
        "GET /v1/notifications/{id}": [.key(.read)],
        "GET /v1/notifications/{id}/recipients": [.key(.read)],
        "DELETE /v1/notifications/{id}": [.key(.send)],
        "POST /v1/notifications/{id}/recall": [.key(.send)],
        "POST /v1/notifications/{id}/pause": [.key(.send)],
        "POST /v1/notifications/{id}/resume": [.key(.send)],
        "POST /v1/notifications/{id}/cancel": [.key(.send)],
        "POST /v1/notifications/{id}/resend": [.key(.send)],
        "GET /v1/notifications/{id}/timeline": [.key(.read)],
        "POST /v1/live-activities": [.key(.send)],
        "GET /v1/live-activities/{id}": [.key(.read)],
        "PATCH /v1/live-activities/{id}": [.key(.send)],
        "DELETE /v1/live-activities/{id}": [.key(.send)],
        "POST /v1/live-activities/{id}/end": [.key(.send)],
        "GET /v1/live-activities/{id}/timeline": [.key(.read)],
        "POST /v1/devices/{id}/live-activities": [.installation],
        "GET /v1/devices": [.key(.read)],
        "GET /v1/devices/{id}/notifications": [.key(.read)],
        "POST /v1/devices": [.anyone],
        "POST /v1/devices/import": [.key(.users)],
        "GET /v1/devices/{id}": [.key(.read), .installation],
        "PATCH /v1/devices/{id}": [.installation],
        "DELETE /v1/devices/{id}": [.key(.users), .installation],
        "POST /v1/devices/{id}/token": [.installation],
        "GET /v1/devices/{id}/sync": [.installation],
        "GET /v1/devices/{id}/inbox": [.installation],
        "POST /v1/devices/{id}/read": [.installation],
        "DELETE /v1/devices/{id}/user": [.key(.users), .installation],
        "POST /v1/receipts": [.installation],
        "POST /v1/users/{id}/read": [.key(.send)],
        "GET /v1/users/{id}/devices": [.key(.read)],
        "POST /v1/users/{id}/sign-out": [.key(.users)],
        "GET /v1/users/{id}": [.key(.users)],
        "DELETE /v1/users/{id}": [.key(.users)],
        "POST /v1/audiences/count": [.key(.send)],
        "GET /v1/app": [.key(.read)],
        "GET /v1/events": [.key(.read)],
        "GET /v1/figures": [.key(.read)],
        "GET /v1/figures/campaigns": [.key(.read)],
        "PATCH /v1/app": [.key(.admin)],
        "POST /v1/widgets": [.key(.send)],
        "GET /v1/templates": [.key(.read)],
        "GET /v1/templates/{name}": [.key(.read)],
        "PUT /v1/templates/{name}": [.key(.admin)],
        "DELETE /v1/templates/{name}": [.key(.admin)],
        "GET /v1/templates/{name}/versions": [.key(.read)],
        "POST /v1/templates/{name}/revert": [.key(.admin)],
        "POST /v1/templates/{name}/render": [.key(.read)],
        "GET /v1/webhooks": [.key(.read)],
        "POST /v1/webhooks": [.key(.admin)],
        "GET /v1/webhooks/{id}": [.key(.read)],
        "PATCH /v1/webhooks/{id}": [.key(.admin)],
        "DELETE /v1/webhooks/{id}": [.key(.admin)],
        "POST /v1/webhooks/{id}/rotate": [.key(.admin)],
        "POST /v1/webhooks/{id}/replay": [.key(.admin)],
        "POST /v1/webhooks/{id}/test": [.key(.admin)],
        "GET /livez": [.anyone],
        "GET /readyz": [.anyone],
        "GET /healthz": [.anyone],
        "GET /metrics": [.anyone],
        "GET /openapi.json": [.anyone],
    ]

    /// Calls a route about a message, an installation and a user of its own, since some calls remove what they are about.
    private func status(
        _ service: RunningService, _ route: String, _ number: Int, as credentials: (TestPhone) async throws -> String
    ) async throws -> Int {
        let phone = TestPhone("phone-\(number)", on: service, token: Data("token-\(number)".utf8).hexadecimal)
        try #require(try await phone.register(user: "user-\(number)").status == 200)
        let message = try await service.call(
            "POST", "/v1/notifications",
            body: [
                "to": ["user": .string("user-\(number)")], "id": .string("message-\(number)"),
                "payload": ["aps": ["alert": "x"]],
            ])
        try #require(message.status == 202)
        let parts = route.split(separator: " ")
        let kind = parts[1].contains("/notifications/") ? "message" : parts[1].contains("/users/") ? "user" : "phone"
        let path = String(parts[1]).replacing("{id}", with: "\(kind)-\(number)")
        let hasBody = parts[0] != "GET" && parts[0] != "DELETE"
        return try await service.call(
            String(parts[0]), path, body: hasBody ? [:] : nil, auth: try await credentials(phone)
        ).status
    }

    @Test("the table has every route of the service")
    func complete() async throws {
        try await RunningService.run { service in
            let document = try await service.call("GET", "/openapi.json", auth: "")
            let paths = try #require(document.json["paths"]?.objectValue)
            let routes = paths.flatMap { path, methods in
                (methods.objectValue ?? [:]).keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
            }
            #expect(Set(routes) == Set(Self.callers.keys))
        }
    }

    @Test("each route lets in the keys with its scope, and nobody else", arguments: callers.keys.sorted())
    func scopes(route: String) async throws {
        let allowed = try #require(Self.callers[route])
        try await RunningService.run { service in
            var number = 0
            func status(_ credentials: (TestPhone) async throws -> String) async throws -> Int {
                number += 1
                return try await self.status(service, route, number, as: credentials)
            }
            let isOpen = allowed.contains(.anyone)
            for scope in APIScope.allCases {
                let key = try await service.keys.make(name: scope.rawValue, scopes: [scope], apps: [chime]).key
                let isFor = allowed.contains { if case .key = $0 { true } else { false } }
                let status = try await status { _ in key }
                if isOpen || allowed.contains(.key(scope)) || (isFor && scope == .admin) {
                    #expect(status != 401 && status != 403, "\(scope)")
                } else {
                    #expect(status == (isFor ? 403 : 401), "\(scope)")
                }
            }
            #expect(try await status { _ in "" } == 401 || isOpen, "no credentials")
            #expect(
                try await status { _ in "ck_0123456789abcdef_0123456789abcdef" } == 401 || isOpen,
                "a key that was never made")
            let own = try await status(\.credentials)
            #expect(
                allowed.isDisjoint(with: [.installation, .anyone]) == [401, 403].contains(own), "the installation")
        }
    }

    @Test("an installation's credentials are good for itself alone")
    func otherInstallation() async throws {
        try await RunningService.run { service in
            let other = TestPhone("other", on: service)
            try await other.register()
            for (number, route) in Self.callers.keys.sorted().enumerated() where route.contains("/devices/{id}") {
                let status = try await status(service, route, number) { _ in other.credentials }
                #expect([401, 403, 404].contains(status), "\(route): \(status)")
                let wrong = try await self.status(service, route, 100 + number) { "\($0.id):\(other.secret)" }
                #expect(wrong == 401, "\(route): \(wrong) with another's secret")
            }
        }
    }
}
