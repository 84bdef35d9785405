import CarillonApp
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
import UserNotifications

@MainActor
@Suite("Nothing of a message's text is told to whoever listens for problems")
struct SecrecyTests {
    private static let secret = "Meet-me-at-noon"

    private struct Quoting: Error, CustomStringConvertible {
        let description: String
    }

    /// Whether any event names the text, however it is printed.
    private func leaks(_ log: EventLog, _ secrets: [String]) -> [String] {
        log.all.flatMap { ["\($0)", String(reflecting: $0)] }.filter { line in secrets.contains { line.contains($0) } }
    }

    private func message(_ fixture: AppFixture, _ id: String, key: String, _ value: JSONValue) throws -> JSONValue {
        var own = CarillonKey(id: try MessageID(id), now: fixture.clock.now)
        guard key == "silent" else {
            return ["aps": ["alert": value, "mutable-content": 1, "category": "C"], "carillon": own.json]
        }
        own.silent = value
        return ["aps": ["content-available": 1], "carillon": own.json]
    }

    @Test("a delivery in every way, with answers, failures and what cannot be understood")
    func delivery() async throws {
        try await AppFixture.run { fixture in
            let text = JSONValue.string(Self.secret)
            let inExtension = EventLog()
            try await HostExtension.suspended(
                fixture,
                .init(
                    service: fixture.service, open: { content, _ in throw Quoting(description: content.body) },
                    log: inExtension))
            // Shown by the app, by iOS through the extension, and in the foreground; tapped, and answered.
            let shown: JSONValue = ["title": text, "body": text]
            try await fixture.push(
                message(fixture, "m1", key: "silent", ["alert": shown, "sound": "default"]), collapseID: "m1")
            guard case .object(var sealed) = try message(fixture, "m2", key: "aps", shown) else { return }
            sealed["sealed"] = text
            sealed["media_url"] = .string("http://127.0.0.1:1/\(Self.secret).png")
            try await fixture.push(.object(sealed), type: .alert, collapseID: "m2")
            try await fixture.phone.tap("m2", in: AppFixture.bundleID)
            try await fixture.settle()
            try await fixture.push(message(fixture, "m3", key: "aps", shown), type: .alert, collapseID: "m3")
            // Not understood: the texts stand where they do not belong.
            for (number, silent) in [["alert": ["title": [text]]], ["alert": [text]], [text], text].enumerated() {
                let id = "odd\(number)"
                try await fixture.push(message(fixture, id, key: "silent", silent as JSONValue), collapseID: id)
            }
            try await fixture.push(["aps": ["alert": shown, "badge": text], "crt": text, "dlt": [text]], type: .alert)
            try await fixture.push(["aps": ["content-available": 1], "internalData": ["silent": ["title": [text]]]])
            try await fixture.push(
                ["aps": ["content-available": 1], "messageId": text, "internalData": ["silent": text]])
            fixture.service[\.isDown] = true
            try await fixture.push(message(fixture, "m4", key: "silent", ["alert": shown]), collapseID: "m4")
            try await fixture.settle()

            let kinds = Set(fixture.log.all.map { "\($0)".prefix { $0 != "(" } })
            #expect(kinds.isSuperset(of: ["completed", "pushNotUnderstood", "serviceFailed"]), "\(kinds)")
            #expect(inExtension.all.contains(.decryptionFailed(identifier: "m2", errorType: "Quoting")))
            #expect(inExtension.all.contains { if case .attachmentFailed = $0 { true } else { false } })
            #expect(leaks(fixture.log, [Self.secret]) == [] && leaks(inExtension, [Self.secret]) == [])
        }
    }

    @Test("neither the device token nor the installation's secret is told, also when the service refuses them")
    func credentials() async throws {
        try await AppFixture.run { fixture in
            fixture.service[\.refusals] = [500, 400, 403]
            try await fixture.openAllowed(try fixture.plan(signInToken: "a-sign-in-token"))
            fixture.app?.carillon?.signIn()
            try await fixture.settle()
            let registrations = fixture.service.registrations
            let secrets = registrations.flatMap { ["\($0.token.data.hexadecimal)", $0.secret] } + ["a-sign-in-token"]
            #expect(
                secrets.count > 2 && fixture.log.all.contains { if case .serviceFailed = $0 { true } else { false } })
            #expect(leaks(fixture.log, secrets) == [])
        }
    }
}
