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
}
