import ArgumentParser
import CommandSupport
import Foundation

/// The command line of `carillon-phones`: the commands of `carillon` that need simulated phones.
@main
struct PhonesProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        // People type `carillon up`, so usage lines say `carillon`.
        commandName: "carillon",
        abstract: "The commands of 'carillon' with simulated iPhones.",
        version: CommandVersion.text,
        subcommands: [UpCommand.self, WhyCommand.self, DemoCommand.self, PhonesBenchCommand.self])

    static func main() async {
        if CommandLine.arguments.dropFirst().first == UpCommand._commandName {
            ProgramSignals.takeForServer(hangUp: .ends)
        } else {
            ProgramSignals.takeForCommand()
        }
        if let warning = Companion.versionWarning(in: ProcessInfo.processInfo.environment) {
            FileHandle.standardError.write(Data("warning: \(warning)\n".utf8))
        }
        await runAsProgram()
    }
}

/// `carillon bench`: groups the commands that measure simulated phones.
struct PhonesBenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measures simulated phones; see docs/performance.md.",
        subcommands: [PhoneBench.self])
}
