/// An object that writes log messages.
///
/// Differs from iOS: messages go to standard error, and the type is only in the module OSLog. There is no module `os`, because
/// packages use `#if canImport(os)` to detect Apple's platforms.
/// [Logger](https://developer.apple.com/documentation/os/logger)
public struct Logger: Sendable {
    private let log: OSLog

    public init() { log = .default }

    /// Makes a logger for one subject of a program.
    ///
    /// - Parameters:
    ///   - subsystem: the program that logs, such as a bundle ID.
    ///   - category: the subject of the messages.
    public init(subsystem: String, category: String) { log = OSLog(subsystem: subsystem, category: category) }

    public init(_ logObj: OSLog) { log = logObj }

    public func log(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(level, message.text) }
    public func trace(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func debug(_ message: OSLogMessage) { log.write(.debug, message.text) }
    public func info(_ message: OSLogMessage) { log.write(.info, message.text) }
    public func notice(_ message: OSLogMessage) { log.write(.default, message.text) }
    public func warning(_ message: OSLogMessage) { log.write(.error, message.text) }
    public func error(_ message: OSLogMessage) { log.write(.error, message.text) }
    public func critical(_ message: OSLogMessage) { log.write(.fault, message.text) }
    public func fault(_ message: OSLogMessage) { log.write(.fault, message.text) }
}
