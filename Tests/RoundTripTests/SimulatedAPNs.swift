import CarillonCore
import Foundation
import FoundationNetworking
import Testing

/// `carillon apns-simulator` in a process of its own, found through the files that it writes for senders.
struct SimulatedAPNs {
    private let program: RunningProgram
    private let summary: JSONValue
    private let folder: TemporaryFolder

    static func run(_ body: (SimulatedAPNs) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        let apns = try await start(in: folder)
        do {
            try await body(apns)
        } catch {
            _ = await apns.stop()
            throw error
        }
        _ = await apns.stop()
    }

    static func start(in folder: TemporaryFolder) async throws -> SimulatedAPNs {
        let program = try RunningProgram([
            "apns-simulator", "--port", "0", "--directory", folder.url.path, "--topic", "com.example.chime",
        ])
        for await line in program.lines where line.hasPrefix("APNs simulator is ready") {
            let data = try Data(contentsOf: folder.url.appendingPathComponent("simulator.json"))
            return SimulatedAPNs(program: program, summary: try JSONValue(parsing: data), folder: folder)
        }
        throw MissingProgram(path: "a simulator that is ready")
    }

    /// - Returns: its exit status.
    func stop() async -> Int32 { await program.interrupt() }

    /// The contents of a file that `simulator.json` names.
    func text(_ member: String) throws -> String {
        try String(contentsOfFile: try #require(summary[member]?.stringValue), encoding: .utf8)
    }

    /// Runs `carillon push` with what a sender reads in `simulator.json`.
    func push(
        _ payload: String, token: String? = nil, team: String? = nil, url: String? = nil, more: [String] = []
    ) async throws -> CarillonProgram.Run {
        let device = try #require(summary["device_tokens"]?.arrayValue?.first?.stringValue)
        let arguments = try ["push", "--token", token ?? device, "--payload", "-"] + sender(team: team, url: url)
        return try await CarillonProgram.run(arguments + more, input: payload)
    }

    /// Runs `carillon keys check` with the same.
    func check(
        key: String? = nil, team: String? = nil, topic: String? = nil, url: String? = nil, more: [String] = []
    ) async throws -> CarillonProgram.Run {
        try await CarillonProgram.run(
            ["keys", "check"] + sender(key: key, team: team, topic: topic, url: url) + more)
    }

    private func sender(
        key: String? = nil, team: String? = nil, topic: String? = nil, url: String? = nil
    ) throws -> [String] {
        let port = try #require(summary["port"]?.intValue)
        return [
            "--topic", try topic ?? #require(summary["topic"]?.stringValue),
            "--key", try key ?? #require(summary["key"]?.stringValue),
            "--key-id", try #require(summary["key_id"]?.stringValue),
            "--team-id", try team ?? #require(summary["team_id"]?.stringValue),
            "--url", url ?? "https://localhost:\(port)", "--ca", try #require(summary["ca"]?.stringValue),
        ]
    }

    /// Runs `carillon keys token` with the simulator's key.
    func token() async throws -> CarillonProgram.Run {
        let arguments = [
            "--key", try #require(summary["key"]?.stringValue), "--team-id",
            try #require(summary["team_id"]?.stringValue),
        ]
        return try await CarillonProgram.run(["keys", "token"] + arguments)
    }

    /// Runs `carillon bench client` with two connections.
    func bench(count: Int, more: [String]) async throws -> CarillonProgram.Run {
        try await CarillonProgram.run(try benchArguments(count: count, more: ["--warm-up", "100"] + more))
    }

    func benchArguments(count: Int, more: [String]) throws -> [String] {
        let authority = folder.url.appendingPathComponent("ca.pem").path
        #expect(try authority == #require(summary["ca"]?.stringValue), "so that simulator.json is found beside it")
        return try ["bench", "client"] + sender()
            + ["-n", "\(count)", "--connections", "2", "--streams", "10"] + more
    }

    /// Waits until the simulator has accepted so many pushes.
    func accepted(atLeast count: Int) async throws {
        let address = try #require(summary["admin_url"]?.stringValue.flatMap { URL(string: $0 + "/requests") })
        var seen = 0
        while seen < count {
            let (data, _) = try await URLSession.shared.data(from: address)
            seen = try JSONValue(parsing: String(decoding: data, as: UTF8.self)).arrayValue?.count ?? 0
        }
    }
}

/// A folder that goes when the test does.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
