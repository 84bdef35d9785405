import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Who is gone")
struct SenderWatchTests {
    private func seen(_ beat: Int, isDead: Bool = false) -> [SenderBeat] {
        [SenderBeat(sender: SenderNumber(rawValue: 7), beat: beat, isDead: isDead)]
    }

    @Test("a sender that stands still for a whole lease, on the watcher's own clock")
    func stands() {
        var watch = SenderWatch(lease: .seconds(60))
        #expect(watch.observe(seen(1), at: .seconds(1000)).isEmpty, "what was before nobody has seen")
        #expect(watch.observe(seen(1), at: .seconds(1059)).isEmpty)
        #expect(watch.observe(seen(2), at: .seconds(1060)).isEmpty, "it lives")
        #expect(watch.observe(seen(2), at: .seconds(1119)).isEmpty)
        #expect(watch.observe(seen(2), at: .seconds(1120)) == seen(2))
    }

    @Test("one whose process has ended is gone at once, and one that left is forgotten")
    func dead() {
        var watch = SenderWatch(lease: .seconds(60))
        #expect(watch.observe(seen(1, isDead: true), at: .zero) == seen(1, isDead: true))
        #expect(watch.observe(seen(1), at: .zero).isEmpty)
        #expect(watch.observe([], at: .seconds(30)).isEmpty)
        #expect(watch.observe(seen(1), at: .seconds(60)).isEmpty, "it is new")
    }
}
