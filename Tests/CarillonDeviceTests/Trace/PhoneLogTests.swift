import CarillonCore
import Testing

@testable import CarillonDevice

@Suite("The phone's log") struct PhoneLogTests {
    private func filled(with count: Int) -> PhoneLog {
        var log = PhoneLog()
        for _ in 0..<count {
            _ = log.begin { number in
                var trace = PushTrace(
                    number: number, origin: .push, arrivedAt: Timestamp(secondsSince1970: 1_800_000_000), topic: "app")
                trace.notificationID = "\(number % 2)"
                return trace
            }
        }
        return log
    }

    @Test(
        "keeps the newest thousand, whatever has gone before", arguments: [1, 999, 1000, 1001, 1999, 2000, 2001, 4321])
    func newest(_ count: Int) {
        let numbers = filled(with: count).entries.map(\.number)
        #expect(numbers == Array(max(1, count - PhoneLimits.traces + 1)...count))
    }

    @Test("finds an entry by its number and changes that one; one that is gone or not there yet is left alone")
    func byNumber() {
        var log = filled(with: 1500)
        for number in [500, 1501, 0, -1] {
            log.update(number) { $0.notes.append("changed") }
            #expect(log.entry(number) == nil)
        }
        for number in [501, 1000, 1500] {
            log.update(number) { $0.notes.append("changed") }
            #expect(log.entry(number)?.number == number)
        }
        #expect(log.entries.filter { $0.notes == ["changed"] }.map(\.number) == [501, 1000, 1500])
        #expect(log.last { $0.notificationID == "1" }?.number == 1499)
    }
}
