import Foundation
import Testing

/// docs/test-your-sender-in-ci.md promises a recipe; here it is played, as a project's CI would.
@Suite("Test your sender in CI", .serialized)
struct SenderInCITests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let script = root.appending(path: "docs/examples/test-your-sender.sh")
    private static let python = root.appending(path: ".venv/bin/python3").path
    private static let sender = root.appending(path: "Tests/Senders/ci_sender.py").path

    private func play(
        _ command: [String], seed: String = "1", environment: [String: String] = [:]
    ) async throws -> CarillonProgram.Run {
        let folder = try TemporaryFolder()
        return try await CarillonProgram.run(
            command, program: Self.script,
            environment: [
                "CARILLON": try CarillonProgram.executable().path, "APNS_DIRECTORY": folder.url.path, "SEED": seed,
            ].merging(environment) { $1 })
    }

    @Test("a sender in Python passes: the recipe starts the simulator, waits, asserts and ends it")
    func passes() async throws {
        let run = try await play([Self.python, Self.sender])
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.lines == ["200", "the sender passed"])
    }

    /// Programs of docs/senders that use nothing but their language's own library.
    enum Language: String, CaseIterable {
        case java, go

        var program: String { "/usr/bin/\(rawValue)" }
        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

        func command(_ examples: URL) -> [String] {
            switch self {
            case .java: [program, examples.appending(path: "Sender.java").path]
            case .go: [program, "run", examples.appending(path: "sender.go").path]
            }
        }
    }

    @Test(
        "the senders of docs/senders in Java and Go pass, where the language is installed (make test-senders sees to it)",
        arguments: Language.allCases.filter(\.isInstalled))
    func languages(language: Language) async throws {
        let cache = try TemporaryFolder()
        let run = try await play(
            language.command(Self.root.appending(path: "docs/examples")),
            environment: ["GO111MODULE": "off", "GOCACHE": cache.url.path])
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.output.contains("200") && run.lines.last == "the sender passed")
    }

    @Test("a sender whose pushes are refused fails, and the reason is shown")
    func refused() async throws {
        let run = try await play([Self.python, Self.sender, "com.example.wrong"])
        #expect(run.status == 1, "\(run.transcript)")
        #expect(run.errors.contains(#""TopicDisallowed""#))
    }

    @Test("a sender that sends nothing fails")
    func nothing() async throws {
        let run = try await play(["true"])
        #expect(run.status == 1 && run.errors.contains("nothing was accepted"), "\(run.transcript)")
    }

    @Test("a simulator that cannot start ends the recipe with its sentence, and the sender is not run")
    func cannotStart() async throws {
        let run = try await play(["echo", "sent"], seed: "one")
        #expect(run.status == 1 && run.errors.contains("--seed"), "\(run.transcript)")
        #expect(!run.output.contains("sent"))
    }

    @Test("the page shows the script as it is")
    func page() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "docs/test-your-sender-in-ci.md"), encoding: .utf8)
        let script = try String(contentsOf: Self.script, encoding: .utf8)
        #expect(
            page.contains("```bash\n\(script)```\n"),
            "docs/examples/test-your-sender.sh has changed: copy it into the page")
    }

    @Test("the systemd unit starts the simulator with options that it has, and a stop is a success")
    func unit() async throws {
        let text = try String(
            contentsOf: Self.root.appending(path: "Packaging/carillon-apns-simulator.service"), encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("ExecStart=") })
        var words = line.dropFirst("ExecStart=".count).split(separator: " ").map(String.init)
        #expect(words.removeFirst() == "/usr/local/bin/carillon")
        let folder = try TemporaryFolder()
        // As it stands but for what belongs to the machine: the ports and the folder.
        for (option, value) in [("--port", "0"), ("--admin-port", "0"), ("--directory", folder.url.path)] {
            let index = try #require(words.firstIndex(of: option))
            words[index + 1] = value
        }
        let program = try RunningProgram(words)
        for await line in program.lines where line.hasPrefix("APNs simulator is ready") { break }
        #expect(await program.interrupt() == 0)
    }
}
