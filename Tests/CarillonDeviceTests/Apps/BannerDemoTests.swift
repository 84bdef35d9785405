import CarillonCore
import CarillonDevice
import Testing
import UIKit

@testable import Articles

@MainActor @Suite("An in-app banner built by hand, as the article builds it") struct BannerDemoTests {
    private let news: JSONValue = ["aps": ["alert": "Big news"], "article": "a1"]

    /// Opened, with a banner on its way in.
    private func run(
        screen: ScreenShape = .withNotch, _ body: @MainActor (AppUnderTest, BannerDemoApp) async throws -> Void
    ) async throws {
        let bundle = AppBundle(bundleID: "com.example.banner", name: "Banner", main: { BannerDemoApp.main() })
        try await AppUnderTest.run(bundle, screen: screen) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            try await app.push(news)
            try await body(app, #require(app.delegate(as: BannerDemoApp.self)))
        }
    }

    /// Returns the upper edge of the banner where it is drawn now; `nil` when its window is hidden.
    private func y(_ app: AppUnderTest) -> Double? {
        app.phone.screen.viewTree(of: app.bundleID)?.first { $0.kind == .view && $0.shadow != nil }?.frame.y
    }

    private func drag(_ app: AppUnderTest, from start: Double, to end: Double) async throws {
        try await app.phone.screen.touch(atX: 190, y: start, phase: .began)
        for step in 1...4 {
            try await app.phone.screen.touch(atX: 190, y: start + (end - start) * Double(step) / 4, phase: .moved)
        }
        try await app.phone.screen.touch(atX: 190, y: end, phase: .ended)
    }

    @Test("it starts above the screen, is half in after half the time, and rests below the notch")
    func slidesIn() async throws {
        try await run { app, _ in
            #expect(y(app) == -64)
            #expect(app.texts.prefix(2) == ["Tap to read", "Big news"])
            try await app.advance(by: .milliseconds(150))
            let halfway = try #require(y(app))
            #expect(halfway > -32 && halfway < 47)
            try await app.advance(by: .milliseconds(150))
            #expect(y(app) == 47)
        }
    }

    @Test("a controller has made its window and is its root; the window has the level .alert, above the app's own")
    func level() async throws {
        try await run { app, demo in
            let window = try #require(demo.pushController.view.window)
            #expect(window.windowLevel == .alert && demo.window?.windowLevel == .normal)
            #expect(window is PushNotificationWindow && window.rootViewController === demo.pushController)
            #expect(window.frame == demo.window?.frame, "made with the frame of the screen")
            let windows = try #require(app.phone.screen.viewTree(of: app.bundleID)).children
            #expect(windows.map { $0.first { $0.shadow != nil } != nil } == [false, true])
        }
    }

    @Test("without a notch it rests 8 points from the top")
    func withoutNotch() async throws {
        try await run(screen: .withHomeButton) { app, _ in
            try await app.advance(by: .milliseconds(300))
            #expect(y(app) == 8)
        }
    }

    @Test("after six seconds it leaves upwards, and then its window is hidden")
    func leaves() async throws {
        try await run { app, demo in
            try await app.advance(by: .milliseconds(300))
            try await app.advance(by: .milliseconds(5999))
            #expect(y(app) == 47 && !app.phone.screen.isAnimating(app.bundleID))
            try await app.advance(by: .milliseconds(1))
            #expect(app.phone.screen.isAnimating(app.bundleID))
            try await app.advance(by: .milliseconds(300))
            #expect(y(app) == nil && demo.pushController.current == nil)
            #expect(app.phone.screen.viewTree(of: app.bundleID)?.children.count == 1)
        }
    }

    @Test("a tap does its work and hides it; a touch beside it is the app's, and its window never becomes key")
    func touches() async throws {
        try await run { app, demo in
            try await app.advance(by: .milliseconds(300))
            try await app.phone.screen.tap(atX: 4, y: 80)
            try await app.phone.screen.tap(atX: 60, y: 180)
            #expect(demo.pressed == 1 && demo.opened == [] && y(app) == 47, "the button below the banner")
            #expect(demo.window?.isKeyWindow == true)
            try await app.phone.screen.tap(atX: 190, y: 80)
            #expect(demo.opened == ["a1"])
            try await app.advance(by: .seconds(1))
            #expect(y(app) == nil)
            #expect(app.texts.contains("Article a1."), "the screen that the tap is for")
        }
    }

    @Test("it stays where it is, in front, while a new screen comes, and can be tapped for all of its six seconds")
    func staysOverNewScreen() async throws {
        try await run { app, demo in
            try await app.advance(by: .milliseconds(300))
            let root = try #require(demo.window?.rootViewController)
            await app.phone.run(in: app.bundleID) {
                root.present(ArticleScreen(title: "New", about: "a screen"), animated: false, completion: nil)
            }
            try await app.phone.settled()
            try await app.advance(by: .milliseconds(5900))
            #expect(app.texts.contains("New") && y(app) == 47)
            #expect(app.phone.screen.viewTree(of: app.bundleID)?.children.last?.texts == ["Tap to read", "Big news"])
            try await app.phone.screen.tap(atX: 190, y: 80)
            #expect(demo.opened == ["a1"])
        }
    }

    @Test("dragged up past half it hides, and the delayed hide is cancelled with it")
    func flickedAway() async throws {
        try await run { app, demo in
            try await app.advance(by: .milliseconds(300))
            try await drag(app, from: 80, to: 30)
            try await app.advance(by: .milliseconds(300))
            #expect(y(app) == nil && demo.opened == [])
            // The next one has all of its time: the first one's six seconds are over while it is shown.
            try await app.push(news)
            try await app.advance(by: .milliseconds(300))
            try await app.advance(by: .milliseconds(5900))
            #expect(y(app) == 47)
        }
    }

    @Test("dragged down it stays where it is, and dragged up a little it comes back in a tenth of a second")
    func dragged() async throws {
        try await run { app, _ in
            try await app.advance(by: .milliseconds(300))
            try await app.phone.screen.touch(atX: 190, y: 80, phase: .began)
            for y in [100.0, 120, 160] { try await app.phone.screen.touch(atX: 190, y: y, phase: .moved) }
            #expect(y(app) == 47)
            for y in [120.0, 80, 68] { try await app.phone.screen.touch(atX: 190, y: y, phase: .moved) }
            #expect(y(app) == 35)
            try await app.phone.screen.touch(atX: 190, y: 68, phase: .ended)
            try await app.advance(by: .milliseconds(100))
            #expect(y(app) == 47)
        }
    }

    @Test("it is fired from where neither banner nor window is known; without anybody to show it nothing happens")
    func firedFromAnywhere() async throws {
        try await run { app, demo in
            try await app.advance(by: .milliseconds(300))
            await app.phone.run(in: app.bundleID) {
                LocalNotification(title: "From a model", body: "", userInfo: [:]).fire(in: .shared)
            }
            try await app.advance(by: .milliseconds(300))
            #expect(app.texts.contains("From a model") && y(app) == 47)
        }
        try await AppUnderTest.run({ UIResponderDelegate() }) { app in
            app.phone.rules.pushNeedsToken = false
            try await app.open()
            await app.phone.run(in: app.bundleID) {
                LocalNotification(title: "To nobody", body: "", userInfo: [:]).fire(in: .shared)
            }
            try await app.phone.settled()
            #expect(!app.texts.contains("To nobody") && app.notifications.isEmpty)
        }
    }

    private final class UIResponderDelegate: UIResponder, UIApplicationDelegate {}

    @Test("a second one takes the first one's place, and the window stays for it")
    func replaced() async throws {
        try await run { app, _ in
            try await app.advance(by: .seconds(2))
            try await app.push(["aps": ["alert": "Bigger news"], "article": "a2"])
            try await app.advance(by: .milliseconds(300))
            #expect(app.texts.contains("Bigger news") && !app.texts.contains("Big news"))
            #expect(y(app) == 47)
        }
    }
}
