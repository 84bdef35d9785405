import ArgumentParser
import CarillonCore
import CarillonSimulator
import CommandSupport
import Foundation
import Logging

/// `carillon demo`: runs the round trip without a browser.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract:
            "Runs the round trip, from an HTTP request to a phone and back, and checks every step.",
        discussion: """
            Starts the push service as a process of its own, a simulated APNs and two iPhones with the app Chime, with \
            free ports and a temporary folder. Each step is checked where its effect is visible: on the phone's screen, in \
            APNs' journal, in the service's database. Exit status: 0 when every check passed, 1 otherwise.

            Examples:
              carillon demo
              carillon demo --json | jq .observed
              carillon demo --sabotage recall-off
            """)

    @Flag(help: "Print one JSON object for each step.")
    var json = false

    @Option(help: "Break one part on purpose, to see the demo fail.")
    var sabotage: Sabotage?

    @Option(
        help: ArgumentHelp(
            "Keep the database, keys and logs in this folder. (default: a temporary folder)", valueName: "dir"))
    var directory: String?

    @MainActor
    func run() async throws {
        let folder = try makeFolder()
        defer { if directory == nil { try? FileManager.default.removeItem(at: folder) } }
        let runner = DemoRunner(folder: folder, sabotage: sabotage)
        let reports: [DemoStepReport]
        do {
            reports = try await runner.run(DemoScenario.steps) { report in
                let text = try json ? String(decoding: report.json.encoded(), as: UTF8.self) : report.text
                try StandardOutput.write(text)
            }
        } catch let error as StandardOutput.WriteError {
            throw error
        } catch {
            throw DemoFailure("the demo could not be set up: \(error)")
        }
        let isWhole = reports.count == DemoScenario.steps.count && reports.allSatisfy { $0.failure == nil }
        if !json, isWhole { try StandardOutput.write("All \(reports.count) steps passed.") }
        if !isWhole { throw ExitCode.failure }
    }

    private func makeFolder() throws -> URL {
        let url =
            directory.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("carillon-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}
