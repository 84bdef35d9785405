import CarillonCore
import Logging

/// A log handler that writes each kind of line at most once a minute, for a part of the program that repeats its lines.
///
/// Lines below the level notice are written as they come.
struct RepeatedLineHandler: LogHandler {
    private var base: Logger
    private let lines: RepeatedLines
    private let kind: String
    var metadata: Logger.Metadata = [:]

    // The level of a running service can be changed, so it is always that of the other logger.
    var logLevel: Logger.Level {
        get { base.logLevel }
        set { base.logLevel = newValue }
    }

    /// Makes a handler before another logger.
    ///
    /// - Parameters:
    ///   - base: the logger that writes the lines.
    ///   - lines: the limit, which several handlers can share.
    ///   - kind: the part of each line's kind that tells this handler's lines from those of others with the same limit.
    init(before base: Logger, lines: RepeatedLines, kind: String) {
        (self.base, self.lines, self.kind) = (base, lines, kind)
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let metadata = metadata.merging(event.metadata ?? [:]) { _, new in new }
        guard event.level >= .notice else {
            return base.log(level: event.level, event.message, metadata: metadata)
        }
        lines.log(event.level, event.message, kind: kind, metadata: metadata, to: base)
    }
}
