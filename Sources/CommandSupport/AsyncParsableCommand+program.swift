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
        do {
            var command = try parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch StandardOutput.WriteError.closed {
            Foundation.exit(StandardOutput.closedExitStatus)
        } catch {
            let lines = explaining(message(for: error))
            guard !lines.isEmpty, !exitCode(for: error).isSuccess else { exit(withError: error) }
            try? FileHandle.standardError.write(contentsOf: Data("\(fullMessage(for: error))\n\(lines)\n".utf8))
            Foundation.exit(exitCode(for: error).rawValue)
        }
    }
}
