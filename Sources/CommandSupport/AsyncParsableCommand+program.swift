import ArgumentParser
import Foundation

extension AsyncParsableCommand {
    /// Parses a program's arguments and runs the command.
    ///
    /// The function replaces ArgumentParser's `main()`, so that a closed pipe (as in `carillon demo | head -1`)
    /// prints no error.
    package static func runAsProgram() async {
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
