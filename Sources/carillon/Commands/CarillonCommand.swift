import ArgumentParser
import Foundation

/// The command line.
@main
struct CarillonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "iOS push notifications, whole: a service to host, a sender, a simulated APNs, simulated iPhones.",
        subcommands: [
            UpCommand.self, WhyCommand.self, DemoCommand.self, ServeCommand.self, APIKeysCommand.self, PushCommand.self,
            KeysCommand.self, ValidateCommand.self, APNsSimulatorCommand.self, BenchCommand.self,
        ])

    /// Runs the command that was asked for.
    ///
    /// Written out because of one case: `carillon demo | head -1` is not a mistake to complain about.
    static func main() async {
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch StandardOutput.WriteError.closed {
            Foundation.exit(StandardOutput.closedExitStatus)
        } catch {
            exit(withError: error)
        }
    }
}
