import CarillonCore
import Logging
import Testing

@testable import CarillonServer

@Suite("A log line that many could repeat")
struct LogReminderTests {
    @Test("is written once a minute, with the number since the last one")
    func reminder() {
        let reminder = LogReminder()
        #expect(reminder.count(at: .seconds(10)) == 1)
        #expect(reminder.count(3, at: .seconds(11)) == nil)
        #expect(reminder.count(at: .seconds(69)) == nil)
        #expect(reminder.count(at: .seconds(70)) == 5)
        #expect(reminder.count(at: .seconds(129)) == nil)
    }

    @Test("has a limit of its own for each kind, and for its whole kind, whatever is in it")
    func kinds() {
        let (clock, log) = (ManualClock(start: noon), LogLines())
        let lines = RepeatedLines(clock: clock, logger: log.logger)
        for number in 0..<10 {
            lines.log(.error, "one", metadata: ["reason": "\(number)"])
            lines.log(.error, "other", kind: "\(number % 2)", metadata: [:])
        }
        #expect(log.lines() == ["one reason=0", "other", "other"])
        // The wall clock goes back, and the minute passes nonetheless.
        clock.advance(by: ServiceLimits.refusalReminder)
        clock.set(to: noon - .seconds(86_400))
        lines.log(.error, "one", metadata: ["reason": "last"])
        #expect(log.lines("one").last == "one reason=last times=10")
    }

    @Test("an outage of an hour costs a part that repeats its lines 60 of a kind, and costs others none")
    func hour() {
        let (clock, log) = (ManualClock(start: noon), LogLines())
        let lines = RepeatedLines(clock: clock, logger: log.logger)
        let loggers = ["one", "other"].map { kind in
            Logger(label: "test") { _ in RepeatedLineHandler(before: log.logger, lines: lines, kind: kind) }
        }
        for second in 0..<3600 {
            for attempt in 0..<5 {
                loggers[0].warning("connecting failed", metadata: ["attempt": "\(second * 5 + attempt)"])
                loggers[0].warning("connection lost")
            }
            clock.advance(by: .seconds(1))
        }
        loggers[1].warning("connecting failed")
        #expect(log.lines("connection lost").count == 60)
        #expect(log.lines("connecting failed").count == 61)
        #expect(log.lines("connecting failed attempt=300 times=300").count == 1, "\(log.lines().prefix(5))")
    }

    @Test("lines for debugging are written as they come, with the metadata of their logger")
    func debugging() {
        let log = LogLines()
        var base = log.logger
        base.logLevel = .debug
        let lines = RepeatedLines(clock: ManualClock(start: noon), logger: base)
        var logger = Logger(label: "test") { [base] _ in RepeatedLineHandler(before: base, lines: lines, kind: "") }
        logger[metadataKey: "app"] = "x"
        for _ in 0..<3 { logger.debug("step") }
        logger.notice("step", metadata: ["b": "c"])
        #expect(log.lines() == ["step app=x", "step app=x", "step app=x", "step app=x b=c"])
    }
}
