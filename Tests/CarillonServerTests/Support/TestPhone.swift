import CarillonCore
import Foundation

@testable import CarillonServer

/// An installation as the service sees it: it registers, confirms and reports.
struct TestPhone: Sendable {
    let id: String
    let token: String
    let service: RunningService
    let app: AppReference
    let environment: String

    var secret: String { Data(repeating: UInt8(id.utf8.reduce(0) { $0 &+ $1 }), count: 32).hexadecimal }
    var credentials: String { "\(id):\(secret)" }

    init(
        _ id: String, on service: RunningService, token: String? = nil, app: AppReference = chime,
        environment: String = "sandbox"
    ) {
        self.id = id
        self.app = app
        self.environment = environment
        self.token = token ?? Data(id.utf8).hexadecimal
        self.service = service
    }

    /// The body of a registration without a user.
    var registration: JSONObject {
        JSONObject([
            "installation": .string(id), "secret": .string(secret), "topic": .string(app.topic),
            "environment": .string(environment), "token": .string(token), "permission": "authorized",
        ])
    }

    /// Returns a sign-in token for a user, valid for a minute.
    func signInToken(of user: String) throws -> JSONValue {
        .string(
            try SignInToken.make(
                user: user, topic: app.topic, issued: service.clock.now, expires: service.clock.now + .seconds(60),
                secret: RunningService.signInSecret))
    }

    @discardableResult
    func register(user: String? = nil) async throws -> RunningService.Answer {
        var body = registration
        body["sign_in_token"] = try user.map { try signInToken(of: $0) }
        return try await service.call("POST", "/v1/devices", body: .object(body), auth: "")
    }

    @discardableResult
    func report(_ event: ReceiptEvent, _ message: String, id: String? = nil) async throws -> RunningService.Answer {
        let receipt = receipt(
            event, message, id: id ?? "\(self.id)-\(message)-\(event.rawValue)", at: service.clock.now)
        let body = try JSONValue(parsing: try CarillonJSON.encode(ReceiptBatch(receipts: [receipt])))
        return try await service.call("POST", "/v1/receipts", body: body, auth: credentials)
    }

    func sync() async throws -> RunningService.Answer {
        try await service.call("GET", "/v1/devices/\(id)/sync", auth: credentials)
    }
}
