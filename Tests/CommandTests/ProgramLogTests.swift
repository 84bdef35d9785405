import ArgumentParser
import CarillonCore
import Foundation
import Logging
import Synchronization
import Testing

@testable import CommandSupport
@testable import carillon

@Suite("The log of a program")
struct ProgramLogTests {
    /// A logger that writes JSON, and the lines that it has written.
    private final class Written: Sendable {
        let lines = Mutex<[String]>([])

        func logger(_ levels: LogLevels) -> Logger {
            Logger(label: "carillon.test") { label in
                ProgramLogHandler(
                    label: label, format: .json, levels: levels,
                    clock: ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))
                ) { line in self.lines.withLock { $0.append(line) } }
            }
        }
    }

    @Test("has one JSON object a line, with time, level, message and metadata, whatever is in them")
    func json() throws {
        let written = Written()
        var logger = written.logger(LogLevels(.info))
        logger[metadataKey: "trace_id"] = "abc"
        logger.notice("a \"message\"\nin two lines", metadata: ["app": "com.example", "list": ["1", ["deep": "x"]]])
        let line = try #require(written.lines.withLock { $0.first })
        #expect(!line.contains("\n"))
        let json = try JSONValue(parsing: line)
        #expect(json["timestamp"] == "2027-01-15T08:00:00.000Z" && json["level"] == "notice")
        #expect(json["message"] == "a \"message\"\nin two lines" && json["label"] == "carillon.test")
        #expect(json["metadata"] == ["app": "com.example", "list": ["1", ["deep": "x"]], "trace_id": "abc"])
        #expect(json["source"] == "CommandTests")
    }

    @Test("has a level that changes while the program runs, for all loggers at once")
    func levels() {
        let written = Written()
        let levels = LogLevels(.warning)
        let loggers = [written.logger(levels), written.logger(levels)]
        for logger in loggers { logger.info("before") }
        levels.change(to: .trace)
        for logger in loggers { logger.trace("after") }
        levels.change(to: .critical)
        for logger in loggers { logger.error("later") }
        #expect(written.lines.withLock { $0.count { $0.contains("after") } } == 2)
        #expect(written.lines.withLock { $0.count } == 2)
    }

    @Test("is text at the level info unless the options say otherwise, and an unknown level is an error")
    func options() throws {
        let usual = try LogOptions.parse([])
        #expect(usual.logFormat == .text && usual.logLevel == .info)
        let other = try LogOptions.parse(["--log-format", "json", "--log-level", "trace"])
        #expect(other.logFormat == .json && other.logLevel == .trace)
        #expect(throws: (any Error).self) { try LogOptions.parse(["--log-level", "loud"]) }
        #expect(throws: (any Error).self) { try LogOptions.parse(["--log-format", "xml"]) }
    }
}
