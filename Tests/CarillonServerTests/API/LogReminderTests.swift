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
}
