import ArgumentParser
import CommandSupport
import Logging

extension ProgramLogHandler.Format: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// The options for the log of a running program.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The form of the log on standard error: text for people, or json with one object a line.",
            valueName: "format"))
    var logFormat = ProgramLogHandler.Format.text

    @Option(
        help: ArgumentHelp(
            "The least level of a line: trace, debug, info, notice, warning, error or critical.", valueName: "level"))
    var logLevel = Logger.Level.info

    /// Returns a logger that writes as the options say.
    ///
    /// - Parameters:
    ///   - label: the logger's label.
    ///   - levels: the level, which the caller may change later.
    /// - Returns: the logger.
    func logger(_ label: String, _ levels: LogLevels) -> Logger {
        Logger(label: label) { ProgramLogHandler(label: $0, format: logFormat, levels: levels) }
    }
}
