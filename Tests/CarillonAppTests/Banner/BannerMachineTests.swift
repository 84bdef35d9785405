import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonMessaging
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
    private func send(_ event: BannerMachine.Event, after delay: Duration = .zero) -> [BannerMachine.Action] {
        now = now + delay
        return machine.received(event, at: now)
    }

    private func rest(_ id: String) {
        send(.sceneAppeared)
        send(.show(content(id)))
        send(.hasEntered)
    }

    @Test("waits for a scene, enters, rests six seconds, leaves, and gives the window back")
    func wholeLife() {
        #expect(send(.show(content("a"))) == [])
        #expect(machine.wakeAt == nil)
        #expect(send(.sceneAppeared) == [.enter(content("a"))])
        send(.hasEntered)
        #expect(machine.wakeAt == now + .seconds(6))
        #expect(send(.timeIsUp, after: .milliseconds(5999)) == [])
        #expect(send(.timeIsUp, after: .milliseconds(1)) == [.leave])
        #expect(send(.hasLeft) == [.releaseWindow])
        #expect(machine.current == nil)
    }

    @Test("a touch stops the clock, and letting go resumes the time that was left")
    func remainingTime() {
        rest("a")
        #expect(send(.touched, after: .seconds(4)) == [.hold])
        #expect(machine.wakeAt == nil)
        #expect(send(.timeIsUp, after: .seconds(60)) == [])
        #expect(send(.released(translation: -5, velocity: 0, height: 80)) == [.settle])
        #expect(machine.wakeAt == now + .seconds(2))
    }

    @Test("it can be held while it slides in, and the end of that slide changes nothing")
    func heldWhileEntering() {
        send(.sceneAppeared)
        send(.show(content("a")))
        #expect(send(.touched) == [.hold])
        send(.hasEntered)
        #expect(machine.wakeAt == nil)
        send(.released(translation: 0, velocity: 0, height: 80))
        #expect(machine.wakeAt == now + .seconds(6))
    }

    @Test("a flick, a third of its height or 75 points upward send it away; less brings it back")
    func gestures() {
        #expect(BannerDragGesture.released(translation: -1, velocity: -751, height: 300) == .dismiss)
        #expect(BannerDragGesture.released(translation: -1, velocity: -750, height: 300) == .settle)
        #expect(BannerDragGesture.released(translation: -28, velocity: 0, height: 80) == .dismiss)
        #expect(BannerDragGesture.released(translation: -26, velocity: 0, height: 80) == .settle)
        #expect(BannerDragGesture.released(translation: -76, velocity: 0, height: 600) == .dismiss)
        #expect(BannerDragGesture.released(translation: -74, velocity: 0, height: 600) == .settle)
        #expect(BannerDragGesture.released(translation: 61, velocity: 0, height: 80) == .expand)
        rest("a")
        send(.touched)
        #expect(send(.released(translation: -80, velocity: -900, height: 80)) == [.leave])
    }

    @Test("it follows the finger up and resists it down")
    func rubberBand() {
        #expect(BannerDragGesture.offset(translation: -40) == -40)
        let down = BannerDragGesture.offset(translation: 100)
        #expect(abs(down - 25.118_864) < 0.001)
        rest("a")
        send(.touched)
        #expect(send(.dragged(translation: -12)) == [.move(offset: -12)])
    }

    @Test("pulled down it opens, with its full time before it")
    func expand() {
        rest("a")
        send(.touched, after: .seconds(5))
        #expect(send(.released(translation: 90, velocity: 0, height: 80)) == [.expand, .settle])
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
        for statusBar in [0, 20, 24] as [CGFloat] {
            #expect(BannerGeometry(windowSize: .init(width: 375, height: 667), safeAreaTop: statusBar).restingY == 8)
        }
    }

    @Test("the urgent goes first, then the one that came first, half a second apart")
    func queue() {
        rest("now")
        for (id, priority) in [("low", .low), ("one", .normal), ("two", .normal), ("high", .high)]
            as [(String, BannerContent.Priority)]
        {
            #expect(send(.show(content(id, priority))) == [])
        }
        var order: [String] = []
        while machine.current != nil {
            send(.timeIsUp, after: .seconds(6))
            send(.hasLeft)
            guard machine.waitingCount > 0 else { break }
            #expect(machine.wakeAt == now + .milliseconds(500))
            send(.timeIsUp, after: .milliseconds(500))
            order.append(machine.current?.id ?? "")
            send(.hasEntered)
        }
        #expect(order == ["high", "one", "two", "low"])
    }

    @Test("the same id replaces what is shown, with its full time, or what waits, in its place")
    func replacement() {
        rest("a")
        let newer = content("a", body: "newer")
        #expect(send(.show(newer), after: .seconds(5)) == [.update(newer)])
        #expect(machine.wakeAt == now + .seconds(6))
        send(.show(content("b")))
        send(.show(content("c")))
        send(.show(content("b", body: "newer")))
        #expect(machine.waitingCount == 2)
        send(.escaped)
        send(.hasLeft)
        #expect(send(.timeIsUp, after: .milliseconds(500)) == [.enter(content("b", body: "newer"))])
    }

    @Test("a recall takes it away, whether it is shown or waits")
    func withdrawn() {
        rest("a")
        send(.show(content("b")))
        #expect(send(.withdraw(["a", "b"])) == [.leave])
        #expect(send(.hasLeft) == [.releaseWindow])
    }

    @Test("a tap is followed, once, when the banner has begun to leave")
    func tap() {
        rest("a")
        send(.touched)
        #expect(send(.tapped) == [.leave, .follow(content("a"))])
        send(.hasLeft)
        #expect(send(.tapped) == [])
    }

    @Test("when it leaves with VoiceOver's focus on it, the focus gets another place, and else it does not")
    func focus() {
        rest("a")
        send(.focused)
        #expect(send(.escaped) == [.leave])
        #expect(send(.hasLeft) == [.releaseWindow, .returnFocus])
        rest("b")
        send(.focused)
        send(.unfocused)
        #expect(send(.escaped) == [.leave])
        #expect(send(.hasLeft) == [.releaseWindow])
    }

    @Test("VoiceOver hears it and gets ten seconds")
    func voiceOver() {
        machine.isVoiceOverRunning = true
        send(.sceneAppeared)
        #expect(send(.show(content("a"))) == [.enter(content("a")), .announce("t. b")])
        send(.hasEntered)
        #expect(machine.wakeAt == now + .seconds(10))
        #expect(send(.escaped) == [.leave])
    }

    @Test("a real banner above it does not use up its time, and none enters below one")
    func systemBanner() {
        rest("a")
        send(.systemBannerAppeared, after: .seconds(5))
        #expect(machine.wakeAt == now + .seconds(7))
        send(.systemBannerAppeared, after: .seconds(1))
        #expect(machine.wakeAt == now + .seconds(7))
        send(.timeIsUp, after: .seconds(7))
        send(.hasLeft)
        send(.systemBannerAppeared)
        #expect(send(.show(content("b"))) == [])
        #expect(machine.wakeAt == now + .seconds(6))
        #expect(send(.timeIsUp, after: .seconds(6)) == [.enter(content("b"))])
    }

    @Test("what the scene took along is shown again in the next one")
    func sceneGoes() {
        rest("a")
        #expect(send(.sceneDisappeared) == [.releaseWindow])
        #expect(send(.sceneAppeared) == [.enter(content("a"))])
    }

    @Test("the queue is bounded, and urgent ones are not what is given up")
    func bounded() {
        for number in 0..<BannerLimits.waiting { send(.show(content("\(number)"))) }
        send(.show(content("urgent", .high)))
        #expect(machine.waitingCount == BannerLimits.waiting)
        #expect(send(.sceneAppeared) == [.enter(content("urgent", .high))])
    }
}
