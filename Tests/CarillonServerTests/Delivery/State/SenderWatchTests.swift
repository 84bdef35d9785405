import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Who is gone")
struct SenderWatchTests {
    /// A watcher that looks, by default in no time.
    private struct Watcher {
        var watch = SenderWatch(lease: .seconds(60))

        mutating func sees(_ others: [SenderBeat], at began: Int, taking seconds: Int = 0) -> [SenderBeat] {
            watch.observe(others, began: .seconds(began), ended: .seconds(began + seconds))
        }
    }

    private func seen(_ beat: Int, isDead: Bool = false) -> [SenderBeat] {
        [SenderBeat(sender: SenderNumber(rawValue: 7), beat: beat, isDead: isDead)]
    }

    @Test("a sender that stands still for a whole lease, on the watcher's own clock")
    func stands() {
        var watcher = Watcher()
        #expect(watcher.sees(seen(1), at: 1000).isEmpty, "what was before nobody has seen")
        for moment in [1020, 1040, 1059] { #expect(watcher.sees(seen(1), at: moment).isEmpty) }
        #expect(watcher.sees(seen(2), at: 1060).isEmpty, "it lives")
        for moment in [1080, 1100, 1119] { #expect(watcher.sees(seen(2), at: moment).isEmpty) }
        #expect(watcher.sees(seen(2), at: 1120) == seen(2))
    }

    @Test("a look that takes long has seen what is new at its end, and what stands still at its beginning")
    func slow() {
        var watcher = Watcher()
        #expect(watcher.sees(seen(1), at: 0, taking: 30).isEmpty, "it may have beaten a moment ago")
        for moment in [40, 60, 89] { #expect(watcher.sees(seen(1), at: moment).isEmpty) }
        #expect(watcher.sees(seen(1), at: 89, taking: 20).isEmpty)
        #expect(watcher.sees(seen(1), at: 110) == seen(1))
    }

    @Test("looks that follow each other without a pause take nothing from a lease that has passed")
    func slowLooks() {
        var watcher = Watcher()
        let gone = (0..<10).first { !watcher.sees(seen(1), at: $0 * 20, taking: 20).isEmpty }
        #expect(gone == 4, "seen at 20, and until 80")
    }

    @Test("who has not looked for long, and may not have been able to, gives others time to beat too")
    func outage() {
        var watcher = Watcher()
        _ = watcher.sees(seen(1), at: 0)
        #expect(watcher.sees(seen(1), at: 12).isEmpty)
        #expect(watcher.sees(seen(1), at: 600).isEmpty, "both have lost the database")
        #expect(watcher.sees(seen(1), at: 612).isEmpty)
        #expect(watcher.sees(seen(1), at: 623).isEmpty)
        #expect(watcher.sees(seen(1), at: 624) == seen(1))
    }

    @Test("one whose process has ended is gone at once, and one that left is forgotten")
    func dead() {
        var watcher = Watcher()
        #expect(watcher.sees(seen(1, isDead: true), at: 0) == seen(1, isDead: true))
        #expect(watcher.sees(seen(1), at: 0).isEmpty)
        #expect(watcher.sees([], at: 30).isEmpty)
        #expect(watcher.sees(seen(1), at: 60).isEmpty, "it is new")
    }
}
