import CarillonCore
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

@Suite("A program that starts", .timeLimit(.minutes(5)))
struct StartTests {
    /// A service that waits for a PostgreSQL at a port where nobody listens, with its log.
    private struct Waiting {
        let folder: TemporaryFolder
        let program: RunningProgram

        init(_ options: [String] = [], under wrapper: [String] = []) async throws {
            folder = try TemporaryFolder()
            let log = folder.url.appending(path: "log")
            program = try RunningProgram(
                [
                    "serve", "--role", "api", "--port", "0", "--topic", "com.example.chime", "--database",
                    "postgres://carillon@127.0.0.1:\(try FreePort.find())/carillon?connect_timeout=2",
                ] + options, under: wrapper, log: log)
            while try !String(contentsOf: log, encoding: .utf8).contains("waiting for the database") {
                try #require(program.isRunning)
                await Task.yield()
            }
        }
    }

    // MARK: Signals

    @Test("a service that waits for its database outlives SIGHUP, and SIGTERM ends it with status 0")
    func hangUpWhileWaiting() async throws {
        let waiting = try await Waiting()
        waiting.program.hangUp()
        #expect(await waiting.program.terminate() == 0)
    }

    @Test("a service without a file of settings outlives SIGHUP")
    func hangUpWithoutFile() async throws {
        let folder = try TemporaryFolder()
        let program = try RunningProgram([
            "serve", "--data", folder.url.path, "--topic", "com.example.chime", "--role", "api", "--port", "0",
        ])
        let base = try await ServiceProgram.address(program)
        program.hangUp()
        let (_, answer) = try await ProgramSession.own.data(from: base.appending(path: "livez"))
        #expect((answer as? HTTPURLResponse)?.statusCode == 200)
        #expect(await program.terminate() == 0)
    }

    @Test("a service that waits for its database ends when the program that has started it does")
    func closedInput() async throws {
        let run = try await CarillonProgram.runTool(
            "timeout", "60", "sh", "-c", "true | \"$0\" \"$@\"", CarillonProgram.executable().path, "serve", "--role",
            "api", "--port", "0", "--topic", "com.example.chime", "--until-stdin-closes", "--database",
            "postgres://carillon@127.0.0.1:\(try FreePort.find())/carillon?connect_timeout=2")
        #expect(run.status == 0, "\(run.transcript)")
    }

    /// The command that makes a program the first process of its own world, and ends it with the test.
    private static let asFirstProcess = [
        "timeout", "--signal=KILL", "60", "unshare", "--pid", "--fork", "--kill-child", "--mount-proc",
    ]

    @Test("as process 1, a service that waits for its database ends at SIGTERM")
    func firstProcess() async throws {
        let trial = try await CarillonProgram.runTool(Self.asFirstProcess + ["true"])
        guard trial.status == 0 else { try Test.cancel("this machine lets nobody make a process 1") }
        let waiting = try await Waiting(under: Self.asFirstProcess)
        #expect(try await waiting.program.terminateInnermost() == 0)
    }

    @Test("a simulator whose terminal closes ends as after Ctrl-C")
    func simulator() async throws {
        let folder = try TemporaryFolder()
        let program = try RunningProgram(["apns-simulator", "--port", "0", "--directory", folder.url.path])
        for await line in program.lines where line.hasPrefix("APNs simulator is ready") { break }
        program.hangUp()
        #expect(await program.interrupt() == 0)
    }

    // MARK: Being ready

    @Test("a service is not ready before the operators' port is bound")
    func busyOperatorPort() async throws {
        try await ServiceProgram.run { other in
            let folder = try TemporaryFolder()
            let run = try await CarillonProgram.run(
                "serve", "--data", folder.url.path, "--topic", "com.example.chime", "--role", "api", "--port", "0",
                "--operator-port", "\(try #require(other.base.port))")
            #expect(run.status == 1 && run.output == "", "\(run.transcript)")
            #expect(run.errors.contains("is busy"), "\(run.transcript)")
        }
    }

    @Test("a sender that would send elsewhere than another sender of its folder does not send, and says so")
    func otherAPNs() async throws {
        try await SimulatedAPNs.run { apns in
            let folder = try TemporaryFolder()
            let common = try [
                "serve", "--role", "sender", "--data", folder.url.path, "--topic", "com.example.chime", "--key",
                apns.keyPath, "--team-id", try #require(apns.summary["team_id"]?.stringValue),
            ]
            let first = try RunningProgram(common + apns.serviceArguments())
            await first.untilSending()
            let senders = folder.url.appending(path: "carillon.sqlite.senders").path
            // The folder itself comes with the sender.
            while (try? FileManager.default.contentsOfDirectory(atPath: senders)) ?? [] == [] { await Task.yield() }
            let log = folder.url.appending(path: "log")
            let second = try RunningProgram(
                common + ["--apns-url", "https://localhost:9", "--operator-port", "0"], log: log)
            var base: URL?
            for await line in second.lines where line.hasPrefix(ReadyLine.operatorPrefix) {
                base = URL(string: String(line.dropFirst(ReadyLine.operatorPrefix.count)))
                break
            }
            func health() async throws -> JSONValue {
                let (data, _) = try await ProgramSession.own.data(from: try #require(base).appending(path: "healthz"))
                return try JSONValue(parsing: data)
            }
            while try await health()["status"] == "ok" { await Task.yield() }
            let advice = try await health()["warnings"]?.arrayValue?.first?["advice"]?.stringValue ?? ""
            #expect(advice.contains("sends to localhost:\(try apns.port)"), "\(advice)")
            let said = try String(contentsOf: log, encoding: .utf8)
            #expect(
                said.contains("the store failed; trying again") && said.contains("would send to localhost:9"), "\(said)"
            )
            #expect(await first.terminate() == 0)
            while try await health()["status"] != "ok" { await Task.yield() }
            #expect(await second.terminate() == 0)
        }
    }

    // MARK: Addresses

    @Test("an address of IPv6 stands in brackets in each URL, and a command says that it cannot call one")
    func addresses() async throws {
        let folder = try TemporaryFolder()
        let program = try RunningProgram([
            "serve", "--data", folder.url.appending(path: "data").path, "--topic", "com.example.chime", "--role", "api",
            "--host", "::1", "--port", "0", "--operator-host", "::1", "--operator-port", "0",
        ])
        var lines: [String] = []
        for await line in program.lines {
            lines.append(line)
            if lines.count == 2 { break }
        }
        #expect(lines.first?.hasPrefix("Operators are served at http://[::1]:") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("Carillon is ready at http://[::1]:") == true, "\(lines)")
        #expect(await program.terminate() == 0)

        let simulator = try RunningProgram([
            "apns-simulator", "--port", "0", "--host", "::1", "--directory", folder.url.path,
        ])
        for await line in simulator.lines where line.hasPrefix("APNs simulator is ready") {
            #expect(line.contains("https://[::1]:"), "\(line)")
            break
        }
        let summary = try JSONValue(parsing: Data(contentsOf: folder.url.appending(path: "simulator.json")))
        #expect(summary["admin_url"]?.stringValue?.hasPrefix("http://[::1]:") == true)
        #expect(await simulator.interrupt() == 0)

        let call = try await CarillonProgram.run("messages", "show", "m", "--url", "http://[::1]:8080", "--key", "k")
        #expect(call.status == 64, "\(call.transcript)")
        #expect(call.errors.contains("host name in the place of the IPv6 address"), "\(call.transcript)")
    }

    // MARK: A start that fails

    @Test("a start that fails leaves no folder behind, and with --log-format json it writes nothing but JSON")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data").path
        let missing = folder.url.appending(path: "missing").path
        for options in [
            ["--apns", "production"], ["--role", "api", "--tls-certificate", missing], ["--apns-url", "nowhere"],
            ["--apns", "production", "--port", "eighty"], ["--apns", "production", "--config", missing],
            ["--apns-url", "https://localhost:1", "--apns-ca", missing, "--key", missing, "--team-id", "TEAM123456"],
        ] {
            let run = try await CarillonProgram.run(
                ["serve", "--data", data, "--topic", "com.example.chime", "--log-format", "json"] + options)
            #expect(run.status == 64, "\(run.transcript)")
            let lines = run.errors.split(separator: "\n").map(String.init)
            let levels = lines.map { (try? JSONValue(parsing: $0))?["level"]?.stringValue }
            #expect(levels == ["critical"], "\(options): \(run.transcript)")
            #expect(!FileManager.default.fileExists(atPath: data), "\(options): \(run.transcript)")
        }
    }

    @Test("a database whose owner is another user opens for a group that may write it, and no other")
    func foreignOwner() async throws {
        guard geteuid() == 0 else { try Test.cancel("only root can make another user's files") }
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data").path
        let made = try await CarillonProgram.run("apps", "add", "--data", data, "--topic", "com.example.chime")
        try #require(made.status == 0, "\(made.transcript)")
        func list(mode: String) async throws -> ProgramRun {
            let changed = try await CarillonProgram.runTool(
                "sh", "-c", "chown -R 0:65534 \(data) && chmod -R \(mode) \(data)")
            try #require(changed.status == 0, "\(changed.transcript)")
            return try await CarillonProgram.runTool(
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", CarillonProgram.executable().path,
                "apps", "list", "--data", data)
        }
        let group = try await list(mode: "u=rwX,g=rwX,o=")
        #expect(group.status == 0 && group.output.hasPrefix("com.example.chime"), "\(group.transcript)")
        let others = try await list(mode: "u=rwX,g=rwX,o=rX")
        #expect(others.status == 64 && others.errors.contains("chmod o-rwx"), "\(others.transcript)")
        #expect(!others.errors.contains("NSCocoaErrorDomain"), "\(others.transcript)")
    }
}
