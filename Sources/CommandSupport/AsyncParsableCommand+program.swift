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
    package static func runAsProgram(
        _ arguments: [String]? = nil, explaining: (_ message: String) -> String = { _ in "" }
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
            let isOfCommand = hasBegun && error is ValidationError
            guard isOfCommand || !lines.isEmpty, !exitCode(for: error).isSuccess else { exit(withError: error) }
            // ArgumentParser would show the usage of the whole program.
            let full =
                isOfCommand
                ? "Error: \(message(for: error))\n  See '\(commandLine(of: arguments)) --help' for more information."
                : fullMessage(for: error)
            let text = [full, lines].filter { !$0.isEmpty }.joined(separator: "\n")
            try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8))
            Foundation.exit(exitCode(for: error).rawValue)
        }
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
