import CarillonCore
import CarillonSimulator
import Foundation
import TestSupport
import Testing

@Suite("curl as a sender")
struct CurlTests {
    @Test("curl with a token from PyJWT gets HTTP/2 200, an apns-id and no body")
    func accepted() async throws {
        try await Stage.with { stage in
            let text = try await curl(stage, authorization: try await ForeignSender(stage: stage).bearer())
            #expect(text.hasPrefix("HTTP/2 200"), "\(text)")
            #expect(text.contains("\napns-id: "))
            #expect(text.hasSuffix("\r\n\r\n"))
            #expect(stage.simulator.requests().map(\.decision) == [.accepted])
        }
    }

    @Test("curl without a token gets 403 and the reason as JSON")
    func refused() async throws {
        try await Stage.with { stage in
            let text = try await curl(stage, authorization: nil)
            #expect(text.hasPrefix("HTTP/2 403"), "\(text)")
            #expect(text.hasSuffix(#"{"reason":"MissingProviderToken"}"#))
        }
    }

    private func curl(_ stage: Stage, authorization: String?) async throws -> String {
        let folder = try TemporaryFolder()
        let ca = folder.url.appending(path: "ca.pem")
        try Data(stage.simulator.caCertificatePEM.utf8).write(to: ca)
        let fields = ["apns-topic: \(Stage.bundleID)", "apns-push-type: alert"]
        let headers = (fields + (authorization.map { ["authorization: \($0)"] } ?? [])).flatMap { ["--header", $0] }
        let result = try await ProgramRun.of(
            URL(filePath: "/usr/bin/curl"),
            ["--silent", "--show-error", "--include", "--http2", "--cacert", ca.path] + headers + [
                "--data", #"{"aps":{"alert":"Hi"}}"#,
                "https://localhost:\(stage.simulator.port)/3/device/\(stage.token().hex)",
            ])
        return result.output + result.errors
    }
}
