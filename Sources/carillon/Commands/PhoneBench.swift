import ArgumentParser
import CarillonCore
import CarillonDevice
import Foundation

/// `carillon bench phone`: what simulated phones cost.
struct PhoneBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Measures what phones cost: memory and time to boot one, CPU for a push.",
        discussion: """
            Boots many phones with a small app in front, then sends one of them pushes: silent ones that wake the
            suspended app, and visible ones about which the app in front is asked. A push is over when the app has
            answered. Nothing else of the machine's work is counted.

            Exit status: 0 when every figure is within its limit, 1 when not.
            """)

    @Option(help: ArgumentHelp("How many phones to boot.", valueName: "count"))
    var phones = 1000

    @Option(help: ArgumentHelp("How many pushes of each kind to send.", valueName: "count"))
    var pushes = 10_000

    @Option(help: ArgumentHelp("Write the figures to this file as JSON, too.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard (1...10_000).contains(phones) else { throw ValidationError("--phones must be between 1 and 10000.") }
        guard (1...10_000_000).contains(pushes) else {
            throw ValidationError("--pushes must be between 1 and 10000000.")
        }
    }

    func run() async throws {
        let storage = FileManager.default.temporaryDirectory.appending(
            path: "carillon-bench-\(ProcessInfo.processInfo.processIdentifier)", directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: storage) }
        let report = try await PhoneLoad(storage: storage).measure(phones: phones, pushes: pushes)
        try StandardOutput.write(report.table)
        if let json { try report.json.encoded().write(to: URL(filePath: json)) }
        if !report.isWithinLimits { throw ExitCode.failure }
    }
}
