import ArgumentParser
import CommandSupport
import Foundation

/// The command line of `carillon`.
@main
struct CarillonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "carillon",
        abstract: "iOS push notifications: a push service, an APNs client, and a simulator of APNs.",
        discussion: """
            WITH SIMULATED PHONES (the program carillon-phones, on Linux only):
              up                      Runs the service, a simulated APNs and two iPhones,
                                      shown at http://127.0.0.1:8080.
              why                     Shows what the phones of a running 'carillon up'
                                      did with each push, and why.
              demo                    Runs the round trip, from an HTTP request to a phone
                                      and back, and checks every step.
              bench phone             Measures simulated phones.
            """,
        version: CommandVersion.text,
        subcommands: [
            ServeCommand.self, MessagesCommand.self, AppsCommand.self, DevicesCommand.self, DatabaseCommand.self,
            APIKeysCommand.self, SignInKeysCommand.self, PushCommand.self, ChannelsCommand.self, KeysCommand.self,
            ValidateCommand.self, APNsSimulatorCommand.self, BenchCommand.self,
        ])

    /// Runs the command that the arguments name, or runs `carillon-phones` if the command needs simulated phones.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == ServeCommand._commandName { return await serve(Array(arguments.dropFirst())) }
        guard isWithPhones(arguments) else { return await runAsProgram() }
        try? FileHandle.standardError.write(contentsOf: Data("error: \(Companion.phones.run(arguments))\n".utf8))
        Foundation.exit(Companion.missingExitStatus)
    }

    /// Runs `carillon serve` with the settings of the command line, the environment and the configuration file.
    private static func serve(_ commandLine: [String]) async {
        let command = ServeCommand._commandName
        guard !ServeArguments.asksForHelp(commandLine) else { return await runAsProgram([command] + commandLine) }
        do {
            let arguments = try ServeArguments(
                commandLine: commandLine, environment: ProcessInfo.processInfo.environment)
            await ServeArguments.$current.withValue(arguments) {
                await runAsProgram([command] + arguments.arguments) { arguments.origins(in: $0) }
            }
        } catch {
            exit(withError: error)
        }
    }

    /// Returns whether the arguments name a command of `carillon-phones`, directly or after `help`.
    static func isWithPhones(_ arguments: [String]) -> Bool {
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        switch words.first {
        case "up", "why", "demo": return true
        case "bench": return words.dropFirst().first == "phone"
        default: return false
        }
    }
}
