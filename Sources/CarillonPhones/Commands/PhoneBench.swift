import ArgumentParser
import CarillonCore
import CarillonDevice
import CommandSupport
import Foundation

/// `carillon bench phone`: measures simulated phones.
struct PhoneBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone", abstract: "Measures simulated phones: memory, boot time, and CPU time per push.",
        discussion: """
            Boots many phones with a small app in the foreground. Then sends one of them visible pushes, whose \
            presentation the foreground app decides, and silent pushes, which wake the suspended app. A push counts when \
            the app has called its completion handler. At last boots phones one after the other, with three pushes each, \
            and waits after each push until nothing can happen without time. Only the CPU time of this process is \
            measured.

            Exit status: 0 when every figure is within its limit, 1 otherwise.
            """)

    @Option(help: ArgumentHelp("How many phones to boot.", valueName: "count"))
    var phones = 1000

    @Option(help: ArgumentHelp("How many pushes of each kind to send.", valueName: "count"))
    var pushes = 10_000

    @Option(help: ArgumentHelp("Also write the figures to this file, as JSON.", valueName: "file"))
    var json: String?

    func validate() throws {
        guard (1...10_000).contains(phones) else { throw ValidationError("--phones must be between 1 and 10000") }
        guard (1...10_000_000).contains(pushes) else {
            throw ValidationError("--pushes must be between 1 and 10000000")
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
