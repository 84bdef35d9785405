import CarillonApp
import CarillonCore
import CarillonMessaging
import Testing

@Suite("Completion handlers are called exactly once")
struct CompletionDeadlinesTests {
    private let start = Duration.seconds(1000)

    @Test("finishing counts once")
    func once() {
        var deadlines = CompletionDeadlines()
        let id = deadlines.opened("a", at: start)
        let outcomes = [deadlines.finished(id, at: start + .seconds(2)), deadlines.finished(id, at: start)]
        #expect(outcomes == [.seconds(2), nil])
        #expect(deadlines.openCount == 0)
    }

    @Test("what is open after 25 seconds is called, oldest first, and then never again")
    func overdue() {
        var deadlines = CompletionDeadlines()
        let first = deadlines.opened("first", at: start)
        let second = deadlines.opened("second", at: start + .seconds(1))
        let early = deadlines.takeOverdue(at: start + .seconds(24)).map(\.id)
        let due = deadlines.takeOverdue(at: start + .seconds(26)).map(\.id)
        let again = deadlines.finished(first, at: start + .seconds(27))
        #expect(early.isEmpty && due == [first, second] && again == nil)
    }
}
