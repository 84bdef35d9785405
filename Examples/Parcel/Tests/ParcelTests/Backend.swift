import Crypto
import Foundation
import FoundationNetworking

/// The app's backend, with a Carillon service and a simulated APNs of its own, each a program as in production.
struct Backend: Sendable {
    static let topic = "com.example.parcel"

    /// The service's address.
    let service: URL
    /// The address from which the phone gets its pushes.
    let apns: URL
    private let apiKey: String
    private let secret: SymmetricKey
    private let programs: Programs

    struct Failure: Error, CustomStringConvertible { let description: String }

    /// Starts the simulated APNs and the service.
    @MainActor static func start() async throws -> Backend {
        let programs = Programs()
        let folder = programs.folder
        try await programs.start(
            ["apns-simulator", "--port", "0", "--directory", folder.path, "--topic", topic, "--devices", "0"],
            until: "is ready")
        let simulator = try JSONDecoder().decode(
            Simulator.self, from: Data(contentsOf: folder.appending(path: "simulator.json")))
        let data = folder.appending(path: "service").path
        let ready = try await programs.start(
            [
                "serve", "--data", data, "--port", "0", "--topic", topic, "--apns-ca", simulator.ca,
                "--apns-url", "https://localhost:\(simulator.port)", "--key", simulator.key,
                "--team-id", simulator.team_id,
            ], until: "http://")
        guard let address = ready.split(separator: " ").last, let service = URL(string: String(address)) else {
            throw Failure(description: ready)
        }
        let key = try await programs.run([
            "api-keys", "create", "--data", data, "--topic", topic, "--name", "backend",
            "--scope", "send", "--scope", "read", "--scope", "users",
        ])
        let hexadecimal = try String(contentsOfFile: data + "/sign-in.secret", encoding: .utf8)
        return Backend(
            service: service, apns: simulator.admin_url, apiKey: key, secret: SymmetricKey(hexadecimal: hexadecimal),
            programs: programs)
    }

    @MainActor func stop() { programs.stop() }

    /// Makes a sign-in token, as the app's backend does for the user of the session that asks.
    func signInToken(for user: String) throws -> String {
        let now = Int(Date.now.timeIntervalSince1970)
        let claims: [String: Any] = ["sub": user, "aud": Self.topic, "iat": now, "exp": now + 300]
        let parts = try [["alg": "HS256"], claims].map {
            try JSONSerialization.data(withJSONObject: $0).base64URL
        }
        let signed = parts.joined(separator: ".")
        let signature = Data(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: secret))
        return signed + "." + signature.base64URL
    }

    /// Sends a message to a user; returns its id.
    func send(_ title: String, to user: String) async throws -> String {
        let answer = try await call(
            "POST", "v1/notifications",
            ["to": ["user": user], "payload": ["aps": ["alert": ["title": title, "body": "Open the app."]]]])
        guard let id = answer["id"] as? String else { throw Failure(description: "\(answer)") }
        return id
    }

    /// Recalls a message.
    func recall(_ id: String) async throws { _ = try await call("DELETE", "v1/notifications/\(id)", nil) }

    /// The number of a user's devices that the service knows.
    func deviceCount(of user: String) async throws -> Int {
        (try await call("GET", "v1/users/\(user)/devices", nil)["devices"] as? [Any])?.count ?? 0
    }

    private func call(_ method: String, _ path: String, _ body: [String: Any]?) async throws -> [String: Any] {
        var request = URLRequest(url: service.appending(path: path))
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        request.setValue("Bearer \(apiKey)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, _) = try await URLSession.shared.data(for: request)
        return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }

    /// The contents of `simulator.json`.
    private struct Simulator: Decodable {
        var port: Int
        var team_id, ca, key: String
        var admin_url: URL
    }
}

extension Data {
    fileprivate var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension SymmetricKey {
    fileprivate init(hexadecimal text: String) {
        let digits = Array(text.utf8.prefix(64))
        self.init(
            data: stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
            })
    }
}
