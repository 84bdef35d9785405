import CarillonDevice
import Foundation
import Testing
import UIKit

/// A screen with one view, to which a test adds what it wants recognised.
final class GestureApp: CallLoggingResponder, UIApplicationDelegate, UIGestureRecognizerDelegate {
    var window: UIWindow?
    let box = TouchView(frame: CGRect(x: 50, y: 100, width: 200, height: 200))
    var together = false
    var mayBegin = true
    var mayReceive = true

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIViewController()
        window.rootViewController?.view.addSubview(box)
        box.callLog = callLog
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { mayBegin }
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        mayReceive
    }
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { together }

    @discardableResult
    func add<Recogniser: UIGestureRecognizer>(_ recogniser: Recogniser, _ name: String, to view: UIView? = nil)
        -> Recogniser
    {
        recogniser.addAction { [callLog] gesture in callLog.write("\(name) \(gesture.state)") }
        recogniser.delegate = self
        (view ?? box).addGestureRecognizer(recogniser)
        return recogniser
    }
}

final class TouchView: UIView {
    var callLog: CallLog?

    override func touchesBegan(_ touches: Set<UITouch>, with event: UIEvent?) { callLog?.write("view began") }
    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { callLog?.write("view ended") }
    override func touchesCancelled(_ touches: Set<UITouch>, with event: UIEvent?) { callLog?.write("view cancelled") }
}

@MainActor @Suite("Gesture recognisers") struct GestureTests {
    private let id = TestPhone.bundleID

    private func onScreen(_ body: @MainActor (TestPhone, GestureApp) async throws -> Void) async throws {
        try await TestPhone.run { test in
            test.install { GestureApp($0) }
            try await test.phone.openApp(id)
            try await body(test, try #require(test.phone.delegate(of: id) as? GestureApp))
        }
    }

    private func tap(_ test: TestPhone) async throws { try await test.phone.screen.tap(atX: 100, y: 150) }

    private func drag(_ test: TestPhone, by distance: Double, steps: Int = 4) async throws {
        try await test.phone.screen.touch(atX: 100, y: 150, phase: .began)
        for step in 1...steps {
            let y = 150 + distance * Double(step) / Double(steps)
            try await test.phone.screen.touch(atX: 100, y: y, phase: .moved)
        }
        try await test.phone.screen.touch(atX: 100, y: 150 + distance, phase: .ended)
    }

    private func advance(_ test: TestPhone, milliseconds: Int) async throws {
        test.clock.advance(by: .milliseconds(milliseconds))
        try await test.phone.settled()
    }

    @Test("a recogniser takes the touch from its view, or leaves it if cancelsTouchesInView is off")
    func takes() async throws {
        try await onScreen { test, app in
            let recogniser = app.add(UITapGestureRecognizer(), "tap")
            try await tap(test)
            #expect(test.callLog.lines == ["view began", "tap ended", "view cancelled"])
            recogniser.cancelsTouchesInView = false
            try await tap(test)
            #expect(test.callLog.lines.suffix(3) == ["view began", "tap ended", "view ended"])
        }
    }

    @Test("a pan takes the touch when it begins, not when it ends")
    func panTakes() async throws {
        try await onScreen { test, app in
            app.add(UIPanGestureRecognizer(), "pan")
            try await drag(test, by: 40)
            #expect(
                test.callLog.lines == [
                    "view began", "pan began", "view cancelled", "pan changed", "pan changed", "pan changed",
                    "pan ended",
                ])
        }
    }

    @Test("the innermost wins; with a delegate that lets both, both recognise")
    func innermost() async throws {
        try await onScreen { test, app in
            let outside = try #require(app.window?.rootViewController?.view)
            app.add(UITapGestureRecognizer(), "outer", to: outside)
            app.add(UITapGestureRecognizer(), "inner")
            app.box.callLog = nil
            try await tap(test)
            #expect(test.callLog.lines == ["inner ended"])
            app.together = true
            try await tap(test)
            #expect(test.callLog.lines.suffix(2) == ["inner ended", "outer ended"])
        }
    }

    @Test("a tap that requires a double tap to fail waits for it, and does not come with it")
    func requireToFail() async throws {
        try await onScreen { test, app in
            app.box.callLog = nil
            let double = UITapGestureRecognizer()
            double.numberOfTapsRequired = 2
            app.add(double, "double")
            app.add(UITapGestureRecognizer(), "single").require(toFail: double)
            try await tap(test)
            #expect(test.callLog.lines.isEmpty)
            try await advance(test, milliseconds: 360)
            #expect(test.callLog.lines == ["single ended"])
            try await tap(test)
            try await advance(test, milliseconds: 100)
            try await tap(test)
            try await advance(test, milliseconds: 400)
            #expect(test.callLog.lines == ["single ended", "double ended"])
            try await tap(test)
            try await advance(test, milliseconds: 400)
            #expect(test.callLog.lines.last == "single ended" && test.callLog.lines.count == 3)
        }
    }

    @Test("without that, a tap comes at once, and the double tap after it")
    func tapAndDoubleTap() async throws {
        try await onScreen { test, app in
            app.box.callLog = nil
            let double = UITapGestureRecognizer()
            double.numberOfTapsRequired = 2
            app.add(double, "double")
            app.add(UITapGestureRecognizer(), "single")
            try await tap(test)
            #expect(test.callLog.lines == ["single ended"])
            try await tap(test)
            #expect(test.callLog.lines.last == "double ended")
        }
    }

    @Test("a pan that requires a swipe to fail begins once the swipe has")
    func panAfterSwipe() async throws {
        try await onScreen { test, app in
            app.box.callLog = nil
            let swipe = UISwipeGestureRecognizer()
            swipe.direction = .up
            app.add(swipe, "swipe")
            app.add(UIPanGestureRecognizer(), "pan").require(toFail: swipe)
            try await drag(test, by: 80)
            #expect(test.callLog.lines.first == "pan began" && test.callLog.lines.last == "pan ended")
            try await drag(test, by: -80)
            #expect(test.callLog.lines.last == "swipe ended")
            #expect(test.callLog.lines.filter { $0 == "pan began" }.count == 1)
        }
    }

    @Test("a long press begins while the finger rests, and fails the tap; moving away fails it")
    func longPress() async throws {
        try await onScreen { test, app in
            app.add(UILongPressGestureRecognizer(), "press")
            app.add(UITapGestureRecognizer(), "tap")
            try await test.phone.screen.touch(atX: 100, y: 150, phase: .began)
            try await advance(test, milliseconds: 500)
            #expect(test.callLog.lines == ["view began", "press began", "view cancelled"])
            try await test.phone.screen.touch(atX: 100, y: 150, phase: .ended)
            #expect(test.callLog.lines.last == "press ended")
            let count = test.callLog.lines.count
            try await drag(test, by: 30)
            try await advance(test, milliseconds: 600)
            #expect(test.callLog.lines.dropFirst(count) == ["view began", "view ended"])
        }
    }

    @Test("the delegate may refuse the touch or the beginning; a switched-off recogniser is left out")
    func refusals() async throws {
        try await onScreen { test, app in
            let recogniser = app.add(UITapGestureRecognizer(), "tap")
            app.mayReceive = false
            try await tap(test)
            (app.mayReceive, app.mayBegin) = (true, false)
            try await tap(test)
            (app.mayBegin, recogniser.isEnabled) = (true, false)
            try await tap(test)
            #expect(test.callLog.lines == Array(repeating: ["view began", "view ended"], count: 3).flatMap(\.self))
            recogniser.isEnabled = true
            recogniser.numberOfTouchesRequired = 2
            try await tap(test)
            #expect(!test.callLog.contains("tap ended"))
        }
    }

    @Test("a button in a view that is tapped keeps its taps; a pan around it takes them away")
    func control() async throws {
        try await onScreen { test, app in
            let button = UIButton(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
            for (event, name) in [(UIControl.Event.touchUpInside, "pressed"), (.touchCancel, "let go")] {
                button.addAction(UIAction { [callLog = app.callLog] _ in callLog.write(name) }, for: event)
            }
            app.box.addSubview(button)
            app.add(UITapGestureRecognizer(), "tap")
            app.add(UIPanGestureRecognizer(), "pan")
            try await tap(test)
            #expect(test.callLog.lines == ["pressed"])
            try await drag(test, by: 30)
            #expect(test.callLog.contains("let go") && test.callLog.lines.filter { $0 == "pressed" }.count == 1)
        }
    }

    @Test("a view that moves takes no touches, unless its animation allows it")
    func moving() async throws {
        try await onScreen { test, app in
            await test.phone.run(in: id) {
                UIView.animate(withDuration: 1) { app.box.transform = CGAffineTransform(translationX: 20, y: 0) }
            }
            try await tap(test)
            #expect(test.callLog.lines.isEmpty)
            try await advance(test, milliseconds: 1000)
            await test.phone.run(in: id) {
                UIView.animate(withDuration: 1, delay: 0, options: .allowUserInteraction) {
                    app.box.transform = .identity
                }
            }
            try await tap(test)
            #expect(test.callLog.lines == ["view began", "view ended"])
        }
    }
}
