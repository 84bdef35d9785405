import CarillonCore
import Testing

@testable import CarillonApp
@testable import CarillonMessaging

@MainActor @Suite("Completion handlers are called exactly once") struct OnceTests {
    private let clock = ManualClock(start: Timestamp(secondsSince1970: 1_800_000_000))

    @Test("the first value counts, and the time limit then passes unnoticed") func once() {
        var values: [String] = []
        let once = Once<String> { values.append($0) }
        once.give(after: .seconds(25), by: clock) { "late" }
        once.give { "first" }
        once.give { "second" }
        clock.advance(by: .seconds(60))
        #expect(values == ["first"])
    }

    @Test("at the time limit the late value counts, and a value after it does not")
    func late() async {
        let given = Occurrences()
        var values: [String] = []
        let once = Once<String> { value in
            values.append(value)
            given.happened()
        }
        once.give(after: .seconds(25), by: clock) { "late" }
        clock.advance(by: .seconds(24))
        #expect(values.isEmpty)
        clock.advance(by: .seconds(1))
        await given.reach(1)
        once.give { "too late" }
        #expect(values == ["late"])
    }

    @Test("what is open after its time is called, oldest first, and then never again") func overdue() async {
        let log = EventLog()
        let handlers = CompletionHandlers(clock: clock, report: { log.add($0) }, beforeEach: {})
        var calls: [String] = []
        func open(_ name: String) -> @MainActor (String) -> Void {
            handlers.open(name, late: { "late" }, handler: { calls.append("\(name) \($0)") })
        }
        let second = open("second")
        let third = open("third")
        clock.advance(by: .seconds(2))
        let first = open("first")
        third("done")
        clock.advance(by: .seconds(25))
        await log.reach { $0 == .completionWasLate(name: "first") }
        first("too late")
        second("too late")
        #expect(calls == ["third done", "second late", "first late"])
        #expect(
            log.all == [
                .completed(name: "third", milliseconds: 2000), .completionWasLate(name: "second"),
                .completionWasLate(name: "first"),
            ])
    }
}
