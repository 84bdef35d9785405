import Testing

@testable import CarillonServer

@Suite("Calls wait for the writer in their order")
struct WaitingCallsTests {
    @Test("the first call starts a group, later ones wait, and the end of the group says whether there is another")
    func groups() {
        var waiting = WaitingCalls<Int>(limit: 10)
        #expect(waiting.arrived(1) == .startsGroup)
        #expect(waiting.arrived(2) == .waits)
        #expect(waiting.take(atMost: 1) == [1])
        #expect(waiting.arrived(3) == .waits)
        #expect(waiting.groupEnded() == true)
        #expect(waiting.take(atMost: 5) == [2, 3])
        #expect(waiting.take(atMost: 5) == [])
        #expect(waiting.groupEnded() == false)
        #expect(waiting.arrived(4) == .startsGroup)
    }

    @Test("what was taken and not begun comes first again")
    func putBack() {
        var waiting = WaitingCalls<Int>(limit: 10)
        for call in 1...4 { _ = waiting.arrived(call) }
        let taken = waiting.take(atMost: 3)
        waiting.putBack(taken[1...])
        #expect(waiting.take(atMost: 9) == [2, 3, 4])
    }

    @Test("one that goes first goes before all that wait, however many")
    func first() {
        var waiting = WaitingCalls<Int>(limit: 2)
        for call in 1...2 { _ = waiting.arrived(call) }
        #expect(waiting.arrived(3, isFirst: true) == .waits)
        #expect(waiting.take(atMost: 9) == [3, 1, 2])
    }

    @Test("with too many waiting a further one is refused")
    func limit() {
        var waiting = WaitingCalls<Int>(limit: 2)
        #expect(waiting.arrived(1) == .startsGroup)
        #expect(waiting.arrived(2) == .waits)
        #expect(waiting.arrived(3) == .isRefused)
        #expect(waiting.take(atMost: 9) == [1, 2])
        #expect(waiting.arrived(4) == .waits)
    }
}
