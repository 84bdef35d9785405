import ArgumentParser
import CommandSupport
import Foundation
import Logging

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
            ServeCommand.self, DoctorCommand.self, MessagesCommand.self, LiveCommand.self, WidgetsCommand.self,
            TailCommand.self, WebhooksCommand.self, TemplatesCommand.self, StatsCommand.self, AppsCommand.self,
            DevicesCommand.self,
            UsersCommand.self,
            DatabaseCommand.self, AuditCommand.self,
            APIKeysCommand.self, SignInKeysCommand.self, PushCommand.self, ChannelsCommand.self, KeysCommand.self,
            ValidateCommand.self, APNsSimulatorCommand.self, RecordCommand.self, CheckSenderCommand.self,
            BenchCommand.self,
        ])

    /// Runs the command that the arguments name, or runs `carillon-phones` if the command needs simulated phones.
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        takeSignals(arguments)
        if arguments.first == ServeCommand._commandName { return await serve(Array(arguments.dropFirst())) }
        guard isWithPhones(arguments) else { return await runAsProgram() }
        try? FileHandle.standardError.write(contentsOf: Data("error: \(Companion.phones.run(arguments))\n".utf8))
        Foundation.exit(Companion.missingExitStatus)
    }

    private static func takeSignals(_ arguments: [String]) {
        switch arguments.first {
        case ServeCommand._commandName where !arguments.contains("--check"):
            ProgramSignals.takeForServer(hangUp: .isIgnored)
        case APNsSimulatorCommand._commandName, RecordCommand._commandName, TailCommand._commandName:
            ProgramSignals.takeForServer(hangUp: .ends)
        default: ProgramSignals.takeForCommand()
        }
    }

    /// Runs `carillon serve` with the settings of the command line, the environment and the configuration file.
    private static func serve(_ commandLine: [String]) async {
        let command = ServeCommand._commandName
        guard !ServeArguments.asksForHelp(commandLine) else { return await runAsProgram([command] + commandLine) }
        let environment = ProcessInfo.processInfo.environment
        let isJSON = ServeArguments.asksForJSON(commandLine, environment)
        let telling: ((String) -> Void)? = isJSON ? { (reason: String) -> Void in Self.tellAsJSON(reason) } : nil
        do {
            let arguments = try ServeArguments(commandLine: commandLine, environment: environment)
            await ServeArguments.$current.withValue(arguments) {
                await runAsProgram(
                    [command] + arguments.arguments, explaining: { arguments.origins(in: $0) }, telling: telling)
            }
        } catch {
            tell(error, by: telling)
            exit(withError: error)
        }
    }

    /// Writes the reason for which the service ends as a line of its log, which has nothing but JSON.
    private static func tellAsJSON(_ reason: String) {
        let levels = LogLevels(.critical)
        let logger = Logger(label: "carillon.serve") { ProgramLogHandler(label: $0, format: .json, levels: levels) }
        logger.critical("the service ends with an error", metadata: ["reason": "\(reason)"])
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
