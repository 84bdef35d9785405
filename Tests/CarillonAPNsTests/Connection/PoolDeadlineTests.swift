import CarillonCore
import Testing

@testable import CarillonAPNs

/// A process that stood still handles what its sockets have before it runs its timers.
@Suite("The pool: deadlines that pass while the process stands still")
struct PoolDeadlineTests {
    @Test("SETTINGS that come after the deadline send nothing of what waited for them")
    func settings() {
        var harness = PoolHarness()
        let ids = (0..<10).map { _ in harness.send(within: .seconds(15)) }
        harness.freeze(.seconds(16))
        harness.settings(100, on: 1)
        #expect(harness.opened.isEmpty)
        #expect(ids.allSatisfy { harness.ends[$0] == .failed(.notSent) })
        #expect(ids.allSatisfy { harness.errors[$0]?.mayHaveArrived == false })
    }

    @Test("an answer that makes room after the deadline is taken, and what is overdue is not sent in its place")
    func answer() {
        var harness = PoolHarness()
        let first = harness.send(within: .seconds(15))
        let second = harness.send(within: .seconds(15))
        let later = harness.send(within: .seconds(60))
        harness.settings(1, on: 1)
        harness.freeze(.seconds(16))
        harness.accept(1, on: 1)
        #expect(harness.ends[first] == .answer(200, nil), "the answer is there")
        #expect(harness.ends[second] == .failed(.notSent) && harness.opened[second] == nil)
        #expect(harness.opened[later] == 1)
    }

    @Test("a window that opens after the deadline sends nothing overdue, nor does a connection that is writable again")
    func roomAgain() {
        for isWindow in [true, false] {
            var harness = PoolHarness()
            harness.send(within: .seconds(600), byteCount: 4096)
            harness.settings(100, on: 1)
            if isWindow { for _ in 0..<14 { harness.send(within: .seconds(600), byteCount: 4096) } }
            if !isWindow { harness.writable(false, 1) }
            let overdue = harness.send(within: .seconds(15), byteCount: 4096)
            #expect(harness.opened[overdue] == nil)
            harness.freeze(.seconds(16))
            if isWindow { harness.window(40_000, on: 1) } else { harness.writable(true, 1) }
            #expect(harness.opened[overdue] == nil && harness.ends[overdue] == .failed(.notSent))
        }
    }

    @Test("what is queued on GOAWAY, REFUSED_STREAM or a lost connection after its deadline is not sent again")
    func again() {
        for number in 0..<3 {
            var harness = PoolHarness()
            let push = harness.send(within: .seconds(15))
            let other = harness.send(within: .seconds(600))
            harness.settings(100, on: 1)
            harness.freeze(.seconds(16))
            if number == 0 { harness.reset(1, on: 1, refused: true) }
            if number == 1 { harness.goAway(last: 0, on: 1) }
            if number == 2 { harness.lose(1) }
            harness.pass(.seconds(5))
            if harness.openConnections.contains(2) { harness.settings(100, on: 2) }
            #expect(harness.opened[push] == 1 && harness.ends[push] != nil, "\(number)")
            #expect(harness.opened[other] == (number == 1 ? 2 : 1))
        }
    }
}
