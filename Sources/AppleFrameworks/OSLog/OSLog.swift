import Foundation

/// A log for messages of one kind.
/// [OSLog](https://developer.apple.com/documentation/os/oslog)
public final class OSLog: NSObject, Sendable {
    let label: String
    private let isOn: Bool

    /// Makes a log for one subject of a program.
    ///
    /// - Parameters:
    ///   - subsystem: the program that logs, such as a bundle ID.
    ///   - category: the subject of the messages.
    public convenience init(subsystem: String, category: String) { self.init("\(subsystem) \(category)", isOn: true) }

    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    private init(_ label: String, isOn: Bool) {
        self.label = label
        self.isOn = isOn
    }

    public static let `default` = OSLog("", isOn: true)
    public static let disabled = OSLog("", isOn: false)

    public struct Category: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let pointsOfInterest = Category(rawValue: "PointsOfInterest")
    }

    /// Returns whether the log writes messages of a type.
    ///
    /// Differs from iOS: debug messages are off, because nothing stores them.
    public func isEnabled(type: OSLogType) -> Bool { isOn && type != .debug }

    /// Writes a message if its type is enabled.
    ///
    /// Differs from iOS: there is no system log; messages go to standard error.
    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        guard isEnabled(type: type) else { return }
        let line = [label, message()].filter { !$0.isEmpty }.joined(separator: ": ")
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }
}
