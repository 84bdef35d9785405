import CarillonApp
import CarillonBanner
import CarillonMessaging
import Foundation
import Testing

@Suite("A finger on the banner")
struct TouchTrackTests {
    @Test("the speed is that of the last tenth of a second")
    func velocity() {
        var track = TouchTrack(at: .zero, time: 0)
        track.moved(to: .init(x: 0, y: 50), time: 1)
        track.moved(to: .init(x: 0, y: 0), time: 1.05)
        #expect(abs(track.velocity + 1000) < 1)
        #expect(track.translation == 0)
        #expect(!track.isTap)
    }

    @Test("a finger that hardly moves taps")
    func tap() {
        var track = TouchTrack(at: .zero, time: 0)
        track.moved(to: .init(x: 3, y: 4), time: 0.2)
        #expect(track.isTap)
    }
}
