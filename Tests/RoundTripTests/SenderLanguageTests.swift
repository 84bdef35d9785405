import Foundation
import TestSupport
import Testing

/// The whole senders of docs/senders, which need nothing but their language (Python: httpx and PyJWT).
@Suite("Senders in other languages, as the pages show them", .serialized)
struct SenderLanguageTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    enum Language: String, CaseIterable {
        case python, java, go

        /// The program, and what it is given before the sender's file.
        var program: (path: String, arguments: [String], file: String) {
            switch self {
            case .python: (root.appending(path: ".venv/bin/python3").path, [], "Tests/Senders/ci_sender.py")
            case .java: ("/usr/bin/java", [], "docs/examples/Sender.java")
            case .go: ("/usr/bin/go", ["run"], "docs/examples/sender.go")
            }
        }

        /// `make test` sees to Python; `make test-senders` to all of them.
        var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program.path) }
    }

    private func send(_ language: Language, to folder: TemporaryFolder) async throws -> ProgramRun {
        let cache = try TemporaryFolder()
        let (path, arguments, file) = language.program
        return try await CarillonProgram.runTool(
            ["APNS_DIRECTORY=\(folder.url.path)", "GO111MODULE=off", "GOCACHE=\(cache.url.path)", path] + arguments
                + [Self.root.appending(path: file).path])
    }

    @Test(
        "a sender that knows only the simulator's folder is answered 200, and fails once the app is deleted",
        arguments: Language.allCases)
    func sends(language: Language) async throws {
        guard language.isInstalled else {
            try Test.cancel("\(language) is not installed; make test-senders installs it")
        }
        let folder = try TemporaryFolder()
        let apns = try await SimulatedAPNs.start(in: folder)
        let accepted = try await send(language, to: folder)
        #expect(accepted.status == 0 && accepted.output.contains("200"), "\(accepted.transcript)")
        let deletion = try await CarillonProgram.runTool(
            ["curl", "--fail", "--silent", "--request", "DELETE", try apns.firstTokenURL])
        #expect(deletion.status == 0, "\(deletion.transcript)")
        let refused = try await send(language, to: folder)
        #expect(refused.status != 0 && refused.output.contains("410"), "\(refused.transcript)")
        _ = await apns.stop()
    }
}
