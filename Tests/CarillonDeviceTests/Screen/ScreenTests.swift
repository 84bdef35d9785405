import CarillonCore
import CarillonDevice
import Foundation
import SafariServices
import Testing
import UIKit

/// Passes every touch on that does not hit its own banner, as the window of an in-app banner must.
final class BannerWindow: UIWindow {
    weak var bannerView: UIView?

    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        guard let bannerView else { return false }
        return bannerView.frame.contains(point)
    }
}

/// A button at the bottom of its screen, and a banner window above.
final class BannerApp: CallLoggingResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var banner: BannerWindow?
    private(set) var bannerView = UIView(frame: CGRect(x: 8, y: -80, width: 374, height: 72))

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        let root = UIViewController()
        let button = UIButton(
            type: .system, primaryAction: UIAction(title: "Press") { [callLog] _ in callLog.write("pressed") })
        button.frame = CGRect(x: 20, y: 60, width: 100, height: 44)
        button.accessibilityIdentifier = "press"
        root.view.addSubview(button)
        window.rootViewController = root
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func slideIn(seconds: TimeInterval = 0.3) {
        let window = BannerWindow(frame: UIScreen.main.bounds)
        window.windowLevel = .alert
        window.bannerView = bannerView
        let label = UILabel(frame: CGRect(x: 16, y: 8, width: 300, height: 20))
        label.text = "Breaking News!"
        label.font = .boldSystemFont(ofSize: 15)
        bannerView.backgroundColor = .systemBackground
        bannerView.layer.cornerRadius = 16
        bannerView.addSubview(label)
        bannerView.addGestureRecognizer(UITapGestureRecognizer { [callLog] _ in callLog.write("tapped") })
        bannerView.addGestureRecognizer(
            UIPanGestureRecognizer { [callLog] gesture in
                guard let pan = gesture as? UIPanGestureRecognizer else { return }
                callLog.write("pan \(pan.state) \(Int(pan.translation(in: nil).y))")
            })
        window.addSubview(bannerView)
        window.isHidden = false
        banner = window
        UIView.animate(withDuration: seconds, delay: 0, options: .curveEaseOut) {
            bannerView.frame.origin.y = 47
        } completion: { [callLog] isFinished in
            callLog.write("in: \(isFinished)")
        }
    }

    func slideOut() {
        UIView.animate(withDuration: 0.3, delay: 0, options: .curveEaseIn) {
            bannerView.frame.origin.y = -80
        } completion: { [weak self] isFinished in
            self?.callLog.write("out: \(isFinished)")
            self?.banner?.isHidden = true
        }
    }
}

@MainActor @Suite("The screen") struct ScreenTests {
    private let id = TestPhone.bundleID

    private func opened(_ test: TestPhone) async throws -> BannerApp {
        test.install { BannerApp($0) }
        try await test.phone.openApp(id)
        return try #require(test.phone.delegate(of: id) as? BannerApp)
    }

    @Test("a snapshot has what a page needs to draw, survives JSON, and shows an animation under way")
    func snapshot() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            await test.phone.run(in: id) { app.slideIn() }
            let start = try #require(test.phone.screen.viewTree(of: id))
            #expect(start.children.count == 2)
            let banner = try #require(start.children.last?.children.first)
            #expect(banner.frame.y == -80 && banner.cornerRadius == 16 && banner.backgroundColor == "#ffffffff")
            #expect(start.texts == ["Breaking News!", "Press"])
            let button = try #require(start.first { $0.accessibilityIdentifier == "press" })
            #expect(button.kind == .button && button.isTappable && button.isEnabled)
            #expect(test.phone.screen.isAnimating(id))
            test.clock.advance(by: .milliseconds(150))
            try await test.phone.settled()
            let halfway = try #require(test.phone.screen.viewTree(of: id)?.children.last?.children.first?.frame.y)
            #expect(halfway > -20 && halfway < 47)
            test.clock.advance(by: .milliseconds(150))
            try await test.phone.settled()
            #expect(test.phone.screen.viewTree(of: id)?.children.last?.children.first?.frame.y == 47)
            #expect(test.callLog.lines == ["in: true"])
            let data = try JSONEncoder().encode(start)
            #expect(try JSONDecoder().decode(ViewSnapshot.self, from: data) == start)
        }
    }

    @Test("an animation that is interrupted completes with false, and goes on from where it is drawn")
    func interruption() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            await test.phone.run(in: id) { app.slideIn() }
            test.clock.advance(by: .milliseconds(150))
            try await test.phone.settled()
            let before = test.phone.screen.viewTree(of: id)?.children.last?.children.first?.frame.y
            await test.phone.run(in: id) { app.slideOut() }
            let after = test.phone.screen.viewTree(of: id)?.children.last?.children.first?.frame.y
            #expect(before == after)
            test.clock.advance(by: .milliseconds(300))
            try await test.phone.settled()
            #expect(test.callLog.lines == ["in: false", "out: true"])
            #expect(test.phone.screen.viewTree(of: id)?.children.count == 1)
        }
    }

    @Test("a touch on the banner is the banner's; beside it, it falls through to the app's own window")
    func hitTesting() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            await test.phone.run(in: id) { app.slideIn(seconds: 0) }
            try await test.phone.settled()
            // The banner covers the button's upper half (47…119 against 60…104), so the button is out of reach.
            try await test.phone.screen.tap(atX: 60, y: 70)
            #expect(test.callLog.lines.last == "tapped")
            await test.phone.run(in: id) { app.slideOut() }
            test.clock.advance(by: .milliseconds(300))
            try await test.phone.settled()
            try await test.phone.screen.tap(atX: 60, y: 70)
            #expect(test.callLog.lines.last == "pressed")
            #expect(app.window?.isKeyWindow == true)
        }
    }

    @Test("a drag is a pan, not a tap; its translation is in points")
    func pan() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            await test.phone.run(in: id) { app.slideIn(seconds: 0) }
            try await test.phone.settled()
            try await test.phone.screen.touch(atX: 100, y: 80, phase: .began)
            try await test.phone.screen.touch(atX: 100, y: 65, phase: .moved)
            try await test.phone.screen.touch(atX: 100, y: 40, phase: .moved)
            try await test.phone.screen.touch(atX: 100, y: 40, phase: .ended)
            #expect(test.callLog.lines.suffix(3) == ["pan began -15", "pan changed -40", "pan ended -40"])
        }
    }

    @Test("an alert's button calls its handler and takes the alert away; the in-app browser notes its page")
    func alertAndBrowser() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            await test.phone.run(in: id) {
                let alert = UIAlertController(title: "Sure?", message: "Really?", preferredStyle: .alert)
                alert.addAction(
                    UIAlertAction(title: "Yes", style: .default) { [callLog = app.callLog] _ in callLog.write("yes") })
                app.window?.rootViewController?.present(alert, animated: true)
            }
            let tree = try #require(test.phone.screen.viewTree(of: id))
            #expect(tree.texts.contains("Sure?"))
            try await test.phone.screen.tap(atX: 195, y: 450)
            #expect(test.callLog.lines == ["yes"])
            #expect(test.phone.screen.viewTree(of: id)?.texts == ["Press"])
            let url = try #require(URL(string: "https://example.com/news"))
            await test.phone.run(in: id) {
                app.window?.rootViewController?.present(SFSafariViewController(url: url), animated: true)
            }
            #expect(test.phone.openedURLs.map(\.url) == [url])
            #expect(test.phone.openedURLs.first?.isInApp == true)
        }
    }

    @Test("tabs and the way back are drawn and can be tapped; the bars count as safe area")
    func bars() async throws {
        try await TestPhone.run { test in
            let app = try await opened(test)
            let (first, second) = (UIViewController(), UIViewController())
            let stack = UINavigationController(rootViewController: first)
            let tabs = UITabBarController()
            await test.phone.run(in: id) {
                (first.title, second.title, stack.tabBarItem.title) = ("News", "Article", "News")
                let other = UIViewController()
                other.title = "Podcasts"
                tabs.viewControllers = [stack, other]
                app.window?.rootViewController = tabs
                stack.pushViewController(second, animated: false)
            }
            let tree = try #require(test.phone.screen.viewTree(of: id))
            #expect(Set(tree.texts).isSuperset(of: ["Article", "News", "Podcasts"]))
            #expect(second.view.safeAreaInsets == UIEdgeInsets(top: 91, bottom: 83))
            try await test.phone.screen.tap(atX: 30, y: 60)
            #expect(stack.topViewController === first)
            try await test.phone.screen.tap(atX: 300, y: 780)
            #expect(tabs.selectedIndex == 1)
            await test.phone.run(in: id) { stack.tabBarItem.badgeValue = "3" }
            #expect(test.phone.screen.viewTree(of: id)?.texts.contains("3") == true)
        }
    }

    @Test("what is announced and felt is noted")
    func noticed() async throws {
        try await TestPhone.run { test in
            _ = try await opened(test)
            await test.phone.run(in: id) {
                UIAccessibility.post(notification: .announcement, argument: "Breaking News!")
                UINotificationFeedbackGenerator().notificationOccurred(.success)
            }
            #expect(test.phone.deviceEvents.map(\.text) == ["Breaking News!", "notification success"])
        }
    }
}
