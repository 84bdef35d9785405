import ArgumentParser
import Foundation

/// The command line.
@main
struct CarillonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "iOS push notifications: a push service, an APNs client, and a simulator of APNs and iPhones.",
        version: CommandVersion.text,
        subcommands: [
            UpCommand.self, WhyCommand.self, DemoCommand.self, ServeCommand.self, MessagesCommand.self,
            AppsCommand.self,
            DevicesCommand.self, DatabaseCommand.self, APIKeysCommand.self,
            SignInKeysCommand.self, PushCommand.self,
            ChannelsCommand.self, KeysCommand.self, ValidateCommand.self, APNsSimulatorCommand.self, BenchCommand.self,
        ])

    /// Parses the arguments and runs the command.
    ///
    /// Replaces ArgumentParser's `main()`, so that a closed pipe, as in `carillon demo | head -1`, prints no error.
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
