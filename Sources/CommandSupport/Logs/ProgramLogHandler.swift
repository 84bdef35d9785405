import CarillonCore
import Foundation
import Logging

/// Writes a program's log: lines of text for people, or one JSON object a line for programs.
///
/// ``LogLevels`` decides which lines are written. If code sets `logLevel` of one logger, this level applies to that logger
/// instead.
package struct ProgramLogHandler: LogHandler {
    /// The form of a line.
    package enum Format: String, CaseIterable, Sendable {
        /// A line for people, as swift-log's own handler writes it.
        case text
        /// A JSON object with `timestamp`, `level`, `label`, `message`, `source` and `metadata`.
        case json
    }

    package var metadata = Logger.Metadata()
    package var metadataProvider: Logger.MetadataProvider?

    private let label: String
    private let levels: LogLevels
    private var ownLevel: Logger.Level?
    /// The handler that writes lines for people; it gets ``metadata`` only with a line, because it then writes them as text.
    private let text: StreamLogHandler?
    private let clock: any CarillonClock
    private let write: @Sendable (String) -> Void

    /// Makes a handler for loggers with one label.
    ///
    /// - Parameters:
    ///   - label: the label of the logger.
    ///   - format: the form of a line.
    ///   - levels: the log level, which can change while the program runs.
    ///   - clock: the clock that gives the time of a JSON line. The default is the machine's.
    ///   - write: writes one JSON line, without its line break. The default writes to standard error.
    package init(
        label: String, format: Format, levels: LogLevels, clock: any CarillonClock = SystemClock(),
        write: @escaping @Sendable (String) -> Void = { try? StandardOutput.write($0, to: .standardError) }
    ) {
        (self.label, self.levels, self.clock, self.write) = (label, levels, clock, write)
        text = format == .text ? StreamLogHandler.standardError(label: label) : nil
    }

    package var logLevel: Logger.Level {
        get { ownLevel ?? levels.level }
        set { ownLevel = newValue }
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        if var text {
            text.metadata = metadata
            return text.log(event: event)
        }
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let explicit = event.metadata { all.merge(explicit) { _, new in new } }
        if let error = event.error { all["error"] = "\(error)" }
        var line: [String: JSONValue] = [
            "timestamp": .string("\(clock.now)"), "level": .string(event.level.rawValue), "label": .string(label),
            "message": .string("\(event.message)"), "source": .string(event.source),
        ]
        if !all.isEmpty { line["metadata"] = .object(all.mapValues(Self.json)) }
        guard let data = try? JSONValue.object(line).encoded() else { return }
        write(String(decoding: data, as: UTF8.self))
    }

    private static func json(_ value: Logger.Metadata.Value) -> JSONValue {
        switch value {
        case .string(let text): .string(text)
        case .stringConvertible(let value): .string("\(value)")
        case .array(let values): .array(values.map(json))
        case .dictionary(let values): .object(values.mapValues(json))
        }
    }
}
