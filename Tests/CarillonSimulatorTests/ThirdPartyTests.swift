import CarillonCore
import CarillonSimulator
import Foundation
import TestSupport
import Testing

@Suite("Other people's senders, unchanged but for host, port and trust")
struct ThirdPartyTests {
    @Test("aioapns sends many at once, and reads both acceptance and reason")
    func aioapns() async throws {
        try await SimulatorFixture.with({ $0.clock = SystemClock() }) { fixture in
            let tokens = (0..<3).map { fixture.token(device: "phone-\($0)") }
            let results = try await ForeignProgram.python(
                "aioapns_sender.py",
                input: [
                    "host": .string(fixture.simulator.host), "port": .int(Int64(fixture.simulator.port)),
                    "ca": .string(fixture.simulator.caCertificatePEM), "key": .string(fixture.simulator.signingKeyPEM),
                    "key_id": .string(fixture.simulator.keyID), "team_id": .string(fixture.simulator.teamID),
                    "topic": .string(SimulatorFixture.bundleID), "tokens": .array(tokens.map { .string($0.hex) }),
                    "n": 20,
                ])
            let expected =
                Array(repeating: JSONValue.array(["200", .null]), count: 60)
                + Array(repeating: JSONValue.array(["400", "BadDeviceToken"]), count: 20)
            #expect(results.arrayValue?.map(Self.normalized) == expected)
        }
    }

    private static let h2loadProgram = "/usr/bin/h2load"

    @Test(
        "h2load gets every push accepted over several connections with many streams each",
        .enabled(if: FileManager.default.isExecutableFile(atPath: h2loadProgram), "nghttp2-client is not installed"))
    func h2load() async throws {
        try await SimulatorFixture.with({ $0.streamsBeforeProof = 1000 }) { fixture in
            let body = FileManager.default.temporaryDirectory.appending(path: "body-\(UUID().uuidString).json")
            try Data(#"{"aps":{"alert":"Hello"}}"#.utf8).write(to: body)
            defer { try? FileManager.default.removeItem(at: body) }
            let result = try await ProgramRun.of(
                URL(filePath: Self.h2loadProgram),
                [
                    "-n", "2000", "-c", "4", "-m", "100", "-d", body.path, "-H",
                    "apns-topic: \(SimulatorFixture.bundleID)", "-H",
                    "apns-push-type: alert", "-H",
                    "authorization: \(try await ForeignSender(fixture: fixture).bearer())",
                    "https://\(fixture.simulator.host):\(fixture.simulator.port)/3/device/\(fixture.token().hex)",
                ])
            #expect(result.output.contains("status codes: 2000 2xx"))
        }
    }

    /// aioapns leaves an absent description as null or as an empty text, by version.
    private static func normalized(_ result: JSONValue) -> JSONValue {
        guard let pair = result.arrayValue, pair.count == 2 else { return result }
        return pair[1] == "" ? [pair[0], .null] : result
    }
}
