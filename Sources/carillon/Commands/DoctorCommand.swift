import ArgumentParser
import CommandSupport
import Foundation

/// `carillon doctor`: looks for common mistakes in a service's set-up, with the checks of `carillon serve --check`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Finds what is usually wrong with a service, whether or not it runs.",
        discussion: """
            Looks at the settings and the places where they stand, the secrets and their permissions, the disk, the number \
            of files that may be open, certificates, the database and its version. Tries each app's key or certificate \
            against APNs, through the proxy that the service uses, which also shows a wrong topic, a wrong environment and \
            a wrong clock. Looks whether the ports are free, or asks the service that runs there for its health. Changes \
            nothing.

            The options are those of 'carillon serve'. Exit status: 0 when nothing is wrong, 1 otherwise.

            Examples:
              carillon doctor --config /etc/carillon/carillon.yaml
              carillon doctor --data ./data --apns production
            """)

    @Argument(parsing: .captureForPassthrough, help: "The options of 'carillon serve'.")
    var options: [String] = []

    func run() async throws {
        if ServeArguments.asksForHelp(options) { throw CleanExit.helpRequest(self) }
        let arguments = try ServeArguments(
            commandLine: options + ["--check"], environment: ProcessInfo.processInfo.environment)
        try await ServeArguments.$current.withValue(arguments) {
            let command: ServeCommand
            do { command = try ServeCommand.parse(arguments.arguments) } catch {
                let lines = arguments.origins(in: ServeCommand.message(for: error))
                throw ValidationError(
                    [ServeCommand.message(for: error), lines].filter { !$0.isEmpty }.joined(separator: "\n"))
            }
            try await command.run()
        }
    }
}
