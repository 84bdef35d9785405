import ArgumentParser
import CarillonCore
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

    /// The arguments with which a unit of the Debian package starts its program, with the variable of its file of options.
    private static func arguments(unit: String, options: String) throws -> [String] {
        let packaging = root.appending(path: "Packaging")
        func line(_ prefix: String, of file: String) throws -> Substring {
            let lines = try String(contentsOf: packaging.appending(path: file), encoding: .utf8).split(separator: "\n")
            return try #require(lines.first { $0.hasPrefix(prefix) }).dropFirst(prefix.count)
        }
        let start = try line("ExecStart=", of: unit).split(separator: " ").map(String.init)
        let parts = try line("CARILLON_", of: options).split(separator: "=", maxSplits: 1)
        let values = try #require(parts.last).split { $0 == "\"" || $0 == " " }.map(String.init)
        return start.dropFirst().flatMap { $0 == "$CARILLON_\(parts[0])" ? values : [$0] }
    }

    @Test("the systemd units start their programs with options that these take")
    func units() throws {
        let simulator = try Self.arguments(unit: "carillon-apns-simulator.service", options: "deb/apns-simulator.conf")
        let command = try APNsSimulatorCommand.parse(simulator)
        #expect(command.port == [2197] && command.host == "127.0.0.1" && command.devices == 10)
        let settings = try String(contentsOf: Self.root.appending(path: "Packaging/deb/carillon.yaml"), encoding: .utf8)
        let service = try SettingsFile(settings, path: "/etc/carillon/carillon.yaml").settings
        let options = try service.flatMap { try ServeSetting.byName[$0.name]?.options($0.values) ?? [] }
        let serve = try #require(try CarillonCommand.parseAsRoot(["serve"] + options) as? ServeCommand)
        #expect(
            serve.service.data == "/var/lib/carillon" && serve.listener.port == 8080
                && serve.apns == .production)
    }
}
