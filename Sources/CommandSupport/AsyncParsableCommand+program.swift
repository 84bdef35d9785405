import ArgumentParser
import Foundation

extension AsyncParsableCommand {
    /// Parses a program's arguments and runs the command.
    ///
    /// The function replaces ArgumentParser's `main()`, so that a closed pipe (as in `carillon demo | head -1`)
    /// prints no error.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the program's name. The default is those of the process.
    ///   - explaining: returns the lines to print after an error message, or an empty string to print nothing more. By default,
    ///     nothing more is printed.
    ///   - telling: writes the message of an error, with its explanation, in the place of the usual text on standard error. The
    ///     default, `nil`, writes the usual text.
    package static func runAsProgram(
        _ arguments: [String]? = nil, explaining: (_ message: String) -> String = { _ in "" },
        telling: ((_ message: String) -> Void)? = nil
    ) async {
        let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
        var hasBegun = false
        do {
            var command = try parseAsRoot(arguments)
            hasBegun = true
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch StandardOutput.WriteError.closed {
            Foundation.exit(StandardOutput.closedExitStatus)
        } catch {
            let lines = explaining(message(for: error))
            tell(error, lines, by: telling)
            let isOfCommand = hasBegun && error is ValidationError
            guard isOfCommand || !lines.isEmpty, !exitCode(for: error).isSuccess else { exit(withError: error) }
            // ArgumentParser would show the usage of the whole program.
            let full =
                isOfCommand
                ? "Error: \(message(for: error))\n  See '\(commandLine(of: arguments)) --help' for more information."
                : fullMessage(for: error)
            let text = [full, lines].filter { !$0.isEmpty }.joined(separator: "\n")
            try? StandardOutput.write(text, to: .standardError)
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }

    /// Gives the message of an error with its explanation to `telling`, and ends the program.
    ///
    /// The function returns if there is no such closure, and for an end that is no error, such as the help.
    package static func tell(_ error: any Error, _ lines: String = "", by telling: ((String) -> Void)?) {
        guard let telling, !exitCode(for: error).isSuccess else { return }
        let text = [message(for: error), lines].filter { !$0.isEmpty }.joined(separator: "\n")
        if !text.isEmpty { telling(text) }
        Foundation.exit(exitCode(for: error).rawValue)
    }

    /// Returns the names of the program and of the subcommand that the arguments call, such as `carillon messages send`.
    private static func commandLine(of arguments: [String]) -> String {
        var (names, command): ([String], any ParsableCommand.Type) = ([_commandName], self)
        for argument in arguments {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == argument }) else {
                break
            }
            names.append(argument)
            command = next
        }
        return names.joined(separator: " ")
    }
}
