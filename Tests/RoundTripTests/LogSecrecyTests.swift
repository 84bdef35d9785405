import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CarillonServer
@testable import CommandSupport
@testable import ServiceSupport

/// The log of a whole run of `carillon serve`, at the level that says most.
@Suite("The log of carillon serve", .timeLimit(.minutes(3)))
struct LogSecrecyTests {
    private static let topic = "com.example.chime"
    private static let user = "user-whose-name-is-nobodys-business"
    private static let text = "a text that only its reader may see"
    private static let installationSecret = String(repeating: "5e", count: 32)

    /// A service that sends to a simulated APNs, with what its callers know.
    private struct System: Sendable {
        let base: URL
        let apiKey: String
        let signInSecret: Data
        let token: String

        @discardableResult
        func call(
            _ method: String, _ path: String, _ body: String? = nil, auth: String? = nil,
            type: String = "application/json"
        ) async throws -> (status: Int, json: JSONValue) {
            var request = URLRequest(url: try #require(URL(string: path, relativeTo: base)))
            request.httpMethod = method
            request.httpBody = body.map { Data($0.utf8) }
            request.setValue("Bearer \(auth ?? apiKey)", forHTTPHeaderField: "Authorization")
            request.setValue(type, forHTTPHeaderField: "Content-Type")
            request.setValue(
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", forHTTPHeaderField: "traceparent")
            let (data, response) = try await ProgramSession.own.data(for: request)
            return (
                try #require(response as? HTTPURLResponse).statusCode, (try? JSONValue(parsing: data)) ?? .null
            )
        }
    }

    /// Makes the calls of backends and phones in a day, right and wrong ones.
    private func use(_ system: System) async throws {
        let now = SystemClock().now
        let signIn = try SignInToken.make(
            user: Self.user, topic: Self.topic, issued: now, expires: now + .seconds(60), secret: system.signInSecret)
        let registration = """
            {"installation": "phone-1", "secret": "\(Self.installationSecret)", "topic": "\(Self.topic)",
             "environment": "sandbox", "token": "\(system.token)", "permission": "authorized",
             "sign_in_token": "\(signIn)"}
            """
        let phone = "phone-1:\(Self.installationSecret)"
        #expect(try await system.call("POST", "/v1/devices", registration, auth: "").status == 200)
        let payload = #""payload": {"aps": {"alert": "\#(Self.text)"}}"#
        let toUser = #"{"id": "m1", "to": {"user": "\#(Self.user)"}, \#(payload)}"#
        #expect(try await system.call("POST", "/v1/notifications", toUser).status == 202)
        var isAccepted = false
        while !isAccepted {
            isAccepted = try await system.call("GET", "/v1/notifications/m1").json["counts"]?["accepted"] == 1
        }
        let shown =
            #"{"receipts": [{"id": "r", "message": "m1", "event": "shown", "at": \#(now.millisecondsSince1970)}]}"#
        #expect(try await system.call("POST", "/v1/receipts", shown, auth: phone).status == 200)
        let later = now.millisecondsSince1970 / 1000 + 3600
        let toAll = #"{"id": "m2", "to": {"everyone": true}, "send_at": \#(later), \#(payload)}"#
        try await system.call("POST", "/v1/notifications", toAll)
        try await system.call("POST", "/v1/notifications/m2/pause", "{}")
        try await system.call("POST", "/v1/notifications/m1/recall", #"{"notice": {"body": "\#(Self.text)"}}"#)
        // Wrong calls, whose errors must not quote them.
        try await system.call("POST", "/v1/notifications", #"{"id": 5, "\#(Self.text)": {"#)
        try await system.call("POST", "/v1/devices", registration.replacing("authorized", with: "maybe"), auth: "")
        try await system.call("GET", "/v1/app?key=\(system.apiKey)")
        try await system.call("GET", "/v1/users/\(Self.user)/devices", auth: "\(system.apiKey)x")
        try await system.call(
            "POST", "/v1/devices/import?environment=sandbox", #"{"token": "\#(system.token)"}"#,
            type: "application/x-ndjson")
        #expect(try await system.call("DELETE", "/v1/users/\(Self.user)").status == 200)
        #expect(try await system.call("GET", "/metrics").status == 200)
    }

    @Test(
        "the log of a whole run has no key, secret, device token, user or text",
        arguments: ProgramLogHandler.Format.allCases)
    func secrets(format: ProgramLogHandler.Format) async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let (data, log) = (folder.url.appending(path: "data").path, folder.url.appending(path: "log"))
            let (key, port) = (try apns.keyPath, try apns.port)
            let added = try await CarillonProgram.run(
                "apps", "add", "--data", data, "--topic", Self.topic, "--key", key, "--team-id", "SIMTEAM001")
            try #require(added.status == 0, "\(added.transcript)")
            let made = try await CarillonProgram.run(
                "api-keys", "create", "--data", data, "--name", "test", "--scope", "admin")
            let program = try RunningProgram(
                [
                    "serve", "--data", data, "--port", "0", "--apns-url", "https://localhost:\(port)", "--apns-ca",
                    URL(fileURLWithPath: key).deletingLastPathComponent().appending(path: "ca.pem").path,
                    "--log-format", format.rawValue, "--log-level", "trace",
                ], log: log)
            let secret = try ServiceDirectory(path: data).signInSecret()
            let system = System(
                base: try await ServiceProgram.address(program),
                apiKey: made.output.trimmingCharacters(in: .whitespacesAndNewlines), signInSecret: secret,
                token: try #require(apns.summary["device_tokens"]?.arrayValue?.first?.stringValue))
            let result: Result<Void, any Error>
            do { result = .success(try await use(system)) } catch { result = .failure(error) }
            _ = await program.terminate()
            try result.get()

            let text = try String(contentsOf: log, encoding: .utf8)
            let pem = try String(contentsOfFile: key, encoding: .utf8).split(separator: "\n").dropFirst().first ?? ""
            let apiSecret = system.apiKey.split(whereSeparator: { $0 == "." || $0 == "_" || $0 == "-" }).last ?? ""
            for (name, secret) in [
                ("the API key", String(apiSecret)), ("the sign-in secret", secret.hexadecimal),
                ("the sign-in secret in base64", secret.base64EncodedString()),
                ("the installation's secret", Self.installationSecret), ("the signing key", String(pem)),
                ("the device token", system.token), ("the user", Self.user), ("a text", Self.text),
            ] {
                #expect(secret.count >= 16 && !text.lowercased().contains(secret.lowercased()), "\(name) is in the log")
            }
            let lines = text.split(separator: "\n")
            for decision in [
                "the service starts", "a broadcast was accepted", "a message was recalled", "a user was erased",
                "devices were imported", "a message was paused", "the service has stopped",
            ] {
                let line = lines.first { $0.contains(decision) }
                #expect(line != nil, "\(decision) is not in the log")
                let isOfCall = !decision.hasPrefix("the service")
                #expect(line?.contains("4bf92f3577b34da6a3ce929d0e0e4736") == isOfCall, "\(decision): its trace")
            }
            guard format == .json else { return }
            for line in lines {
                let json = try JSONValue(parsing: String(line))
                #expect(json["timestamp"] != nil && json["level"] != nil && json["message"] != nil)
            }
        }
    }
}
