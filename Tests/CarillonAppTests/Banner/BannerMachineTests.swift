import CarillonApp
import CarillonCore
import Foundation
import Testing

@Suite("The in-app banner")
final class BannerMachineTests {
    private var machine = BannerMachine()
    private var now = Timestamp(secondsSince1970: 1_800_000_000)

    private func content(_ id: String, _ priority: BannerContent.Priority = .normal, body: String = "b")
        -> BannerContent
    {
        BannerContent(id: id, title: "t", body: body, priority: priority)
    }

    @discardableResult
    private func tell(_ event: BannerMachine.Event, after delay: Duration = .zero) -> [BannerMachine.Action] {
        now = now + delay
        return machine.received(event, at: now)
    }

    private func rest(_ id: String) {
        tell(.sceneAppeared)
        tell(.show(content(id)))
        tell(.hasEntered)
    }

    @Test("waits for a scene, enters, rests six seconds, leaves, and gives the window back")
    func wholeLife() {
        #expect(tell(.show(content("a"))) == [])
        #expect(machine.wakeAt == nil)
        #expect(tell(.sceneAppeared) == [.enter(content("a"))])
        tell(.hasEntered)
        #expect(machine.wakeAt == now + .seconds(6))
        #expect(tell(.timeIsUp, after: .milliseconds(5999)) == [])
        #expect(tell(.timeIsUp, after: .milliseconds(1)) == [.leave])
        #expect(tell(.hasLeft) == [.releaseWindow])
        #expect(machine.current == nil)
    }

    @Test("a touch stops the clock, and letting go resumes the time that was left")
    func remainingTime() {
        rest("a")
        #expect(tell(.touched, after: .seconds(4)) == [.hold])
        #expect(machine.wakeAt == nil)
        #expect(tell(.timeIsUp, after: .seconds(60)) == [])
        #expect(tell(.released(translation: -5, velocity: 0, height: 80)) == [.settle])
        #expect(machine.wakeAt == now + .seconds(2))
    }

    @Test("it can be held while it slides in, and the end of that slide changes nothing")
    func heldWhileEntering() {
        tell(.sceneAppeared)
        tell(.show(content("a")))
        #expect(tell(.touched) == [.hold])
        tell(.hasEntered)
        #expect(machine.wakeAt == nil)
        tell(.released(translation: 0, velocity: 0, height: 80))
        #expect(machine.wakeAt == now + .seconds(6))
    }

    @Test("a flick, a third of its height or 75 points upward send it away; less brings it back")
    func gestures() {
        #expect(BannerGeometry.released(translation: -1, velocity: -751, height: 300) == .dismiss)
        #expect(BannerGeometry.released(translation: -1, velocity: -750, height: 300) == .settle)
        #expect(BannerGeometry.released(translation: -28, velocity: 0, height: 80) == .dismiss)
        #expect(BannerGeometry.released(translation: -26, velocity: 0, height: 80) == .settle)
        #expect(BannerGeometry.released(translation: -76, velocity: 0, height: 600) == .dismiss)
        #expect(BannerGeometry.released(translation: -74, velocity: 0, height: 600) == .settle)
        #expect(BannerGeometry.released(translation: 61, velocity: 0, height: 80) == .expand)
        rest("a")
        tell(.touched)
        #expect(tell(.released(translation: -80, velocity: -900, height: 80)) == [.leave])
    }

    @Test("it follows the finger up and resists it down")
    func rubberBand() {
        #expect(BannerGeometry.offset(translation: -40) == -40)
        let down = BannerGeometry.offset(translation: 100)
        #expect(abs(down - 25.118_864) < 0.001)
        rest("a")
        tell(.touched)
        #expect(tell(.dragged(translation: -12)) == [.move(offset: -12)])
    }

    @Test("pulled down it opens, with its full time before it")
    func expand() {
        rest("a")
        tell(.touched, after: .seconds(5))
        #expect(tell(.released(translation: 90, velocity: 0, height: 80)) == [.expand, .settle])
        #expect(machine.wakeAt == now + .seconds(6))
    }

    @Test("rests below the notch, else 8 points below the edge, and never wider than is readable")
    func geometry() {
        let phone = BannerGeometry(windowSize: .init(width: 390, height: 844), safeAreaTop: 47)
        #expect(phone.restingY == 47 && phone.width == 374)
        let landscape = BannerGeometry(windowSize: .init(width: 844, height: 390), safeAreaTop: 0, safeAreaSides: 47)
        #expect(landscape.restingY == 8 && landscape.width == 600)
        #expect(landscape.frame(height: 80, y: 8).midX == 422)
        #expect(phone.hiddenY(height: 80) == -80)
    }

    @Test("the urgent goes first, then the one that came first, half a second apart")
    func queue() {
        rest("now")
        for (id, priority) in [("low", .low), ("one", .normal), ("two", .normal), ("high", .high)]
            as [(String, BannerContent.Priority)]
        {
            #expect(tell(.show(content(id, priority))) == [])
        }
        var order: [String] = []
        while machine.current != nil {
            tell(.timeIsUp, after: .seconds(6))
            tell(.hasLeft)
            guard machine.waitingCount > 0 else { break }
            #expect(machine.wakeAt == now + .milliseconds(500))
            tell(.timeIsUp, after: .milliseconds(500))
            order.append(machine.current?.id ?? "")
            tell(.hasEntered)
        }
        #expect(order == ["high", "one", "two", "low"])
    }

    @Test("the same id replaces what is shown, with its full time, or what waits, in its place")
    func replacement() {
        rest("a")
        let newer = content("a", body: "newer")
        #expect(tell(.show(newer), after: .seconds(5)) == [.update(newer)])
        #expect(machine.wakeAt == now + .seconds(6))
        tell(.show(content("b")))
        tell(.show(content("c")))
        tell(.show(content("b", body: "newer")))
        #expect(machine.waitingCount == 2)
        tell(.escaped)
        tell(.hasLeft)
        #expect(tell(.timeIsUp, after: .milliseconds(500)) == [.enter(content("b", body: "newer"))])
    }

    @Test("a recall takes it away, whether it is shown or waits")
    func withdrawn() {
        rest("a")
        tell(.show(content("b")))
        #expect(tell(.withdraw(["a", "b"])) == [.leave])
        #expect(tell(.hasLeft) == [.releaseWindow])
    }

    @Test("a tap is followed, once")
    func tap() {
        rest("a")
        tell(.touched)
        #expect(tell(.tapped) == [.follow(content("a")), .leave])
        tell(.hasLeft)
        #expect(tell(.tapped) == [])
    }

    @Test("VoiceOver hears it and gets ten seconds")
    func voiceOver() {
        machine.isVoiceOverRunning = true
        tell(.sceneAppeared)
        #expect(tell(.show(content("a"))) == [.enter(content("a")), .announce("t. b")])
        tell(.hasEntered)
        #expect(machine.wakeAt == now + .seconds(10))
        #expect(tell(.escaped) == [.leave])
    }

    @Test("a real banner above it does not use up its time, and none enters below one")
    func systemBanner() {
        rest("a")
        tell(.systemBannerAppeared, after: .seconds(5))
        #expect(machine.wakeAt == now + .seconds(7))
        tell(.systemBannerAppeared, after: .seconds(1))
        #expect(machine.wakeAt == now + .seconds(7))
        tell(.timeIsUp, after: .seconds(7))
        tell(.hasLeft)
        tell(.systemBannerAppeared)
        #expect(tell(.show(content("b"))) == [])
        #expect(machine.wakeAt == now + .seconds(6))
        #expect(tell(.timeIsUp, after: .seconds(6)) == [.enter(content("b"))])
    }

    @Test("what the scene took along is shown again in the next one")
    func sceneGoes() {
        rest("a")
        #expect(tell(.sceneDisappeared) == [.releaseWindow])
        #expect(tell(.sceneAppeared) == [.enter(content("a"))])
    }

    @Test("the queue is bounded, and urgent ones are not what is given up")
    func bounded() {
        for number in 0..<BannerQueue.countLimit { tell(.show(content("\(number)"))) }
        tell(.show(content("urgent", .high)))
        #expect(machine.waitingCount == BannerQueue.countLimit)
        #expect(tell(.sceneAppeared) == [.enter(content("urgent", .high))])
    }
}

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
