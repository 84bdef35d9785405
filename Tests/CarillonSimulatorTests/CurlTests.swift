import CarillonCore
import CarillonSimulator
import Foundation
import TestSupport
import Testing

@Suite("curl as a sender")
struct CurlTests {
    @Test("curl with a token from PyJWT gets HTTP/2 200, an apns-id and no body")
    func accepted() async throws {
        try await SimulatorFixture.with { fixture in
            let text = try await curl(fixture, authorization: try await ForeignSender(fixture: fixture).bearer())
            #expect(text.hasPrefix("HTTP/2 200"), "\(text)")
            #expect(text.contains("\napns-id: "))
            #expect(text.hasSuffix("\r\n\r\n"))
            #expect(fixture.simulator.requests().map(\.decision) == [.accepted])
        }
    }

    @Test("curl without a token gets 403 and the reason as JSON")
    func refused() async throws {
        try await SimulatorFixture.with { fixture in
            let text = try await curl(fixture, authorization: nil)
            #expect(text.hasPrefix("HTTP/2 403"), "\(text)")
            #expect(text.hasSuffix(#"{"reason":"MissingProviderToken"}"#))
        }
    }

    private func curl(_ fixture: SimulatorFixture, authorization: String?) async throws -> String {
        let folder = try TemporaryFolder()
        let ca = folder.url.appending(path: "ca.pem")
        try Data(fixture.simulator.caCertificatePEM.utf8).write(to: ca)
        let fields = ["apns-topic: \(SimulatorFixture.bundleID)", "apns-push-type: alert"]
        let headers = (fields + (authorization.map { ["authorization: \($0)"] } ?? [])).flatMap { ["--header", $0] }
        let result = try await ProgramRun.of(
            URL(filePath: "/usr/bin/curl"),
            ["--silent", "--show-error", "--include", "--http2", "--cacert", ca.path] + headers + [
                "--data", #"{"aps":{"alert":"Hi"}}"#,
                "https://localhost:\(fixture.simulator.port)/3/device/\(fixture.token().hex)",
            ])
        return result.output + result.errors
    }
}
