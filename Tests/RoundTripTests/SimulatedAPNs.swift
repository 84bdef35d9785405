import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// `carillon apns-simulator` in a process of its own, found through the files that it writes for senders.
struct SimulatedAPNs {
    private let program: RunningProgram
    let summary: JSONValue
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

    static func start(in folder: TemporaryFolder, more: [String] = []) async throws -> SimulatedAPNs {
        let program = try RunningProgram(
            ["apns-simulator", "--port", "0", "--directory", folder.url.path, "--topic", "com.example.chime"] + more)
        for await line in program.lines where line.hasPrefix("APNs simulator is ready") {
            let data = try Data(contentsOf: folder.url.appendingPathComponent("simulator.json"))
            return SimulatedAPNs(program: program, summary: try JSONValue(parsing: data), folder: folder)
        }
        throw MissingProgram(path: "a simulator that is ready")
    }

    /// - Returns: its exit status.
    func stop() async -> Int32 { await program.interrupt() }

    /// The file of the signing key.
    var keyPath: String { get throws { try #require(summary["key"]?.stringValue) } }
    var port: Int { get throws { try #require(summary["port"]?.intValue) } }

    /// The admin API's address of the first device token.
    var firstTokenURL: String {
        get throws {
            let token = try #require(summary["device_tokens"]?.arrayValue?.first?.stringValue)
            return try #require(summary["admin_url"]?.stringValue) + "/tokens/\(token)"
        }
    }

    var adminPort: Int {
        get throws {
            try #require(summary["admin_url"]?.stringValue.flatMap { URL(string: $0)?.port })
        }
    }

    /// The contents of a file that `simulator.json` names.
    func text(_ member: String) throws -> String {
        try String(contentsOfFile: try #require(summary[member]?.stringValue), encoding: .utf8)
    }

    /// Runs `carillon push` with what a sender reads in `simulator.json`.
    func push(
        _ payload: String, token: String? = nil, team: String? = nil, url: String? = nil, trusts: Bool = true,
        more: [String] = []
    ) async throws -> ProgramRun {
        let port = try #require(summary["port"]?.intValue)
        let device = try #require(summary["device_tokens"]?.arrayValue?.first?.stringValue)
        let arguments = [
            "push", "--token", token ?? device, "--topic", try #require(summary["topic"]?.stringValue),
            "--payload", "-", "--key", try #require(summary["key"]?.stringValue),
            "--team-id", try team ?? #require(summary["team_id"]?.stringValue),
            "--url", url ?? "https://localhost:\(port)", "--timeout", "300",
        ]
        let authority = trusts ? ["--ca", try #require(summary["ca"]?.stringValue)] : []
        return try await CarillonProgram.run(arguments + authority + more, input: payload)
    }

    /// Runs `carillon keys check` with the simulator's key.
    func check(
        topic: String, team: String? = nil, url: String? = nil, more: [String] = []
    ) async throws -> ProgramRun {
        try await CarillonProgram.run(
            ["keys", "check", "--topic", topic] + keyArguments(team: team) + serverArguments(url: url) + more)
    }

    /// The options by which `carillon serve` finds the simulator.
    func serviceArguments() throws -> [String] {
        ["--apns-url", "https://localhost:\(try port)", "--apns-ca", try #require(summary["ca"]?.stringValue)]
    }

    /// Runs `carillon channels`.
    func channels(_ arguments: String..., topic: String = "com.example.chime") async throws -> ProgramRun {
        try await CarillonProgram.run(
            ["channels"] + arguments + ["--topic", topic] + keyArguments() + serverArguments())
    }

    /// Runs `carillon push --channel`.
    func broadcast(_ payload: String, to channel: String, more: [String] = []) async throws -> ProgramRun {
        try await CarillonProgram.run(
            ["push", "--channel", channel, "--topic", "com.example.chime", "--payload", "-"] + keyArguments()
                + serverArguments() + more, input: payload)
    }

    /// Delivers from now on, and answers nothing.
    func loseAnswers() async throws {
        let address = try #require(summary["admin_url"]?.stringValue.flatMap { URL(string: $0 + "/faults") })
        var request = URLRequest(url: address)
        request.httpMethod = "PUT"
        request.httpBody = Data(#"{"rates": [{"fault": "lose-answer", "probability": 1}]}"#.utf8)
        let (_, response) = try await ProgramSession.own.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode ?? 500 < 300)
    }

    func token() async throws -> ProgramRun {
        try await CarillonProgram.run(["keys", "token"] + keyArguments())
    }

    /// Runs `carillon bench client` with two connections.
    func bench(count: Int, more: [String]) async throws -> ProgramRun {
        try await CarillonProgram.run(try benchArguments(count: count, more: ["--warm-up", "100"] + more))
    }

    func benchArguments(count: Int, more: [String]) throws -> [String] {
        let authority = folder.url.appendingPathComponent("ca.pem").path
        #expect(try authority == #require(summary["ca"]?.stringValue), "so that simulator.json is found beside it")
        return try ["bench", "client", "--topic", #require(summary["topic"]?.stringValue)] + keyArguments()
            + serverArguments()
            + ["-n", "\(count)", "--connections", "2", "--streams", "10"] + more
    }

    /// Waits until the simulator has accepted so many pushes.
    func accepted(atLeast count: Int) async throws {
        let address = try #require(summary["admin_url"]?.stringValue.flatMap { URL(string: $0 + "/requests") })
        var seen = 0
        while seen < count {
            let (data, _) = try await ProgramSession.own.data(from: address)
            seen = try JSONValue(parsing: String(decoding: data, as: UTF8.self)).arrayValue?.count ?? 0
        }
    }

    private func keyArguments(team: String? = nil) throws -> [String] {
        [
            "--key", try #require(summary["key"]?.stringValue),
            "--team-id", try team ?? #require(summary["team_id"]?.stringValue),
        ]
    }

    private func serverArguments(url: String? = nil) throws -> [String] {
        let port = try #require(summary["port"]?.intValue)
        return ["--url", url ?? "https://localhost:\(port)", "--ca", try #require(summary["ca"]?.stringValue)]
    }
}
