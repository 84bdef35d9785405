import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import carillon

/// The promises of docs/test-your-sender-in-ci.md.
@Suite("A sender in CI", .serialized) struct SenderInCITests {
    /// The repository's top folder, found from where this file stands.
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let example = root.appending(path: "Examples/SenderInCI")

    @Test("the script of the page plays from the start of APNs to the last check")
    func script() async throws {
        let run = try await play()
        #expect(run.status == 0, "\(run.transcript)")
        #expect(run.lines.filter { $0.hasPrefix("ok: ") }.count == 4)
    }

    @Test("a sender that takes a 410 for success fails the script")
    func careless() async throws {
        let folder = try TemporaryFolder()
        let sender = folder.url.appending(path: "send.sh").path
        let own = Self.example.appending(path: "send.sh").path
        let text = "#!/bin/bash\n\(own) \"$@\" || true\n"
        #expect(
            FileManager.default.createFile(
                atPath: sender, contents: Data(text.utf8), attributes: [.posixPermissions: 0o700]))
        let run = try await play("SENDER=\(sender)")
        #expect(run.status == 1 && run.errors.contains("treated a 410 as success"), "\(run.transcript)")
    }

    /// Runs the script with `carillon` in PATH, as in CI.
    private func play(_ setting: String = "LANG=C.UTF-8") async throws -> ProgramRun {
        let folder = try CarillonProgram.executable().deletingLastPathComponent().path
        let path = "PATH=\(folder):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
        return try await CarillonProgram.runTool(
            path, setting, "bash", Self.example.appending(path: "test-sender.sh").path)
    }

    @Test("the systemd unit starts the program with options that it takes")
    func unit() throws {
        let file = Self.root.appending(path: "Packaging/carillon-apns-simulator.service")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.first { $0.hasPrefix("ExecStart=") })
        let arguments = start.dropFirst("ExecStart=".count).split(separator: " ").dropFirst().map(String.init)
        let command = try #require(try CarillonCommand.parseAsRoot(arguments) as? APNsSimulatorCommand)
        #expect(command.port == 2197 && command.host == "127.0.0.1")
    }
}
