import CarillonDevice
import Foundation
import Testing
import UIKit

/// An app with a list of 40 rows of 50 points, about 17 at a time on the screen; each row writes down that it was tapped.
final class ScrollApp: CallLoggingResponder, UIApplicationDelegate, UIScrollViewDelegate {
    var window: UIWindow?
    let list = UIScrollView(frame: .zero)
    static let contentHeight: CGFloat = 2000

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let controller = UIViewController()
        controller.view = list
        for number in 0..<40 {
            let row = ScrollRow(frame: CGRect(x: 0, y: CGFloat(number) * 50, width: 390, height: 50))
            row.onTap = { [callLog] in callLog.write("tapped \(number)") }
            list.addSubview(row)
        }
        list.contentSize = CGSize(width: 390, height: Self.contentHeight)
        list.delegate = self
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func scrollViewWillBeginDragging(_ scrollView: UIScrollView) { callLog.write("drag") }
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {
        callLog.write("let go, decelerates: \(decelerate)")
    }
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) { callLog.write("at rest") }
}

final class ScrollRow: UIView {
    var onTap: (() -> Void)?

    override func touchesEnded(_ touches: Set<UITouch>, with event: UIEvent?) { onTap?() }
}

@MainActor @Suite("Scroll views") struct ScrollViewTests {
    private let id = TestPhone.bundleID

    private func onScreen(_ body: @MainActor (TestPhone, UIScrollView) async throws -> Void) async throws {
        try await TestPhone.run { test in
            test.install { ScrollApp($0) }
            try await test.phone.openApp(id)
            let app = try #require(test.phone.delegate(of: id) as? ScrollApp)
            _ = test.phone.screen.viewTree(of: id)
            try await body(test, app.list)
        }
    }

    /// Moves a finger by `dy` in steps of 20 ms, waits, and lifts it.
    private func drag(_ test: TestPhone, from y: Double = 600, by dy: Double, holding: Duration = .zero) async throws {
        let phone = test.phone
        try await phone.screen.touch(atX: 100, y: y, phase: .began)
        for step in 1...10 {
            test.clock.advance(by: .milliseconds(20))
            try await phone.screen.touch(atX: 100, y: y + dy * Double(step) / 10, phase: .moved)
        }
        test.clock.advance(by: holding)
        try await phone.screen.touch(atX: 100, y: y + dy, phase: .ended)
    }

    /// Returns the upper edge of the first row as drawn; the path in the view tree is screen, window, list, row.
    private func top(_ test: TestPhone) -> Double? {
        test.phone.screen.viewTree(of: id)?.children.first?.children.first?.children.first?.frame.y
    }

    @Test("begins below the notch, and follows a finger that then stands still")
    func follows() async throws {
        try await onScreen { test, list in
            #expect(list.contentOffset.y == -47 && list.adjustedContentInset.bottom == 34)
            #expect(top(test) == 47)
            try await drag(test, by: -300, holding: .milliseconds(200))
            #expect(list.contentOffset.y == 253)
            #expect(top(test) == -253, "it is drawn where it is")
            #expect(test.callLog.lines == ["drag", "let go, decelerates: false"])
        }
    }

    @Test("a finger goes on scrolling when the row under it is taken away")
    func rowGoes() async throws {
        try await onScreen { test, list in
            try await test.phone.screen.touch(atX: 100, y: 600, phase: .began)
            try await test.phone.screen.touch(atX: 100, y: 580, phase: .moved)
            await test.phone.run(in: id) { for row in list.subviews { row.removeFromSuperview() } }
            try await test.phone.screen.touch(atX: 100, y: 500, phase: .moved)
            #expect(list.contentOffset.y == 53)
            test.clock.advance(by: .seconds(1))
            try await test.phone.screen.touch(atX: 100, y: 500, phase: .ended)
            #expect(!list.isDragging)
        }
    }

    @Test("a tap goes to the row that is under the finger now, a drag to none")
    func taps() async throws {
        try await onScreen { test, list in
            try await test.phone.screen.tap(atX: 100, y: 47 + 25)
            try await drag(test, by: -300, holding: .milliseconds(200))
            try await test.phone.screen.tap(atX: 100, y: 47 + 25)
            #expect(test.callLog.lines.filter { $0.hasPrefix("tapped") } == ["tapped 0", "tapped 6"])
        }
    }

    @Test("glides on after a quick finger, and is drawn on its way; a touch stops it and taps nothing")
    func glides() async throws {
        try await onScreen { test, list in
            try await drag(test, by: -200)
            #expect(list.isDecelerating && list.contentOffset.y > 153 + 300)
            let start = try #require(top(test))
            #expect(abs(start + 153) < 1)
            test.clock.advance(by: .milliseconds(200))
            let under = try #require(top(test))
            #expect(under < start && under > -list.contentOffset.y)
            try await test.phone.screen.tap(atX: 100, y: 400)
            #expect(!list.isDecelerating && abs(Double(list.contentOffset.y) + under) < 1)
            #expect(!test.callLog.lines.contains { $0.hasPrefix("tapped") || $0 == "at rest" })
            try await drag(test, by: -200)
            test.clock.advance(by: .seconds(3))
            try await test.phone.settled()
            #expect(!list.isDecelerating && test.callLog.lines.last == "at rest")
        }
    }

    @Test("gives way beyond its ends, and comes back")
    func bounces() async throws {
        try await onScreen { test, list in
            try await drag(test, from: 200, by: 300, holding: .milliseconds(200))
            #expect(list.isDecelerating && list.contentOffset.y == -47)
            #expect(try #require(top(test)) > 47 + 50)
            test.clock.advance(by: .milliseconds(100))
            try await test.phone.screen.tap(atX: 100, y: 600)
            #expect(list.isDecelerating, "a touch holds it, and lets it go")
            test.clock.advance(by: .seconds(1))
            try await test.phone.settled()
            #expect(top(test) == 47)
            list.bounces = false
            try await drag(test, from: 200, by: 300, holding: .milliseconds(200))
            #expect(!list.isDecelerating && top(test) == 47)
        }
    }

    @Test("what fits does not scroll, unless it always bounces; nor what is switched off")
    func fits() async throws {
        try await onScreen { test, list in
            await test.phone.run(in: id) { list.contentSize.height = 400 }
            try await drag(test, by: -300)
            #expect(list.contentOffset.y == -47 && !test.callLog.lines.contains("drag"))
            list.alwaysBounceVertical = true
            try await drag(test, by: -300)
            #expect(test.callLog.lines.contains("drag") && list.contentOffset.y == -47)
            test.clock.advance(by: .seconds(1))
            await test.phone.run(in: id) { list.contentSize.height = 2000 }
            list.isScrollEnabled = false
            try await drag(test, by: -300)
            #expect(list.contentOffset.y == -47)
        }
    }

    @Test("scrolls what is wanted into sight, no further than needed; less content brings it back")
    func shows() async throws {
        try await onScreen { test, list in
            let row = try #require(list.subviews.last)
            try await test.phone.screen.reveal(row.viewID(in: test.phone, id))
            #expect(list.contentOffset.y == 1190)
            await test.phone.run(in: id) {
                list.scrollRectToVisible(CGRect(x: 0, y: 0, width: 1, height: 1), animated: false)
            }
            #expect(list.contentOffset.y == -47)
            await test.phone.run(in: id) {
                list.setContentOffset(CGPoint(x: 0, y: 1000), animated: false)
                list.contentSize.height = 900
            }
            #expect(list.contentOffset.y == 90)
        }
    }
}

extension UIView {
    /// Returns the id of this row in the phone's snapshot of the screen.
    fileprivate func viewID(in phone: Phone, _ bundleID: String) throws -> Int {
        let y = Double(frame.minY - (superview?.bounds.minY ?? 0))
        return try #require(phone.screen.viewTree(of: bundleID)?.first { $0.frame.height == 50 && $0.frame.y == y }).id
    }
}
