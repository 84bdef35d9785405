import CarillonApp
import CarillonBanner
import CarillonCore
import CarillonDevice
import CarillonMessaging
import Foundation
import Testing
@_spi(Simulation) import UIKit
import UserNotifications

@MainActor @Suite("The banner's place") struct BannerPlaceTests {
    private typealias Scene = SceneUse.Candidate

    private func scene(
        _ id: String, isForWindows: Bool = true, isInFront: Bool = true, isActive: Bool = true, isKey: Bool = false
    ) -> Scene {
        Scene(id: id, isForWindows: isForWindows, isInFront: isInFront, isActive: isActive, hasKeyWindow: isKey)
    }

    @Test("of two windows in front it takes the one that was used last, and the one with the key window before that")
    func lastUsed() {
        var use = SceneUse()
        let both = [scene("a"), scene("b")]
        use.used("b", among: ["a", "b"])
        #expect(use.chosen(among: both) == "b" && use.chosen(among: both.reversed()) == "b")
        use.used("a", among: ["a", "b"])
        #expect(use.chosen(among: both) == "a" && use.chosen(among: both.reversed()) == "a")
        #expect(use.chosen(among: [scene("a"), scene("b", isKey: true)]) == "b")
        #expect(use.chosen(among: [scene("a", isActive: false), scene("b")]) == "b", "a sheet of the system covers it")
    }

    @Test("an external display is no place for it, nor is a window in the background")
    func noPlace() {
        var use = SceneUse()
        use.used("display", among: ["display", "a"])
        let display = scene("display", isForWindows: false, isKey: true)
        #expect(use.chosen(among: [display]) == nil)
        #expect(use.chosen(among: [display, scene("a", isActive: false)]) == "a")
        #expect(use.chosen(among: [scene("a", isInFront: false, isActive: false)]) == nil)
        #expect(use.chosen(among: []) == nil)
    }

    // MARK: On the phone

    private func open(_ fixture: AppFixture) async throws -> (HostApp, BannerPresenter) {
        var plan = try fixture.plan()
        plan.configuration.presentationOptions = [.list]
        plan.usesBanner = true
        try await fixture.openAllowed(plan)
        let app = try #require(fixture.app)
        return (app, try #require(app.banner))
    }

    /// Connects a further scene, as on an iPad, with a window of its own.
    private func connect(
        _ id: String, role: UISceneSession.Role = .windowApplication, _ fixture: AppFixture
    ) async throws -> (UIWindowScene, UIWindow) {
        let application = try #require(fixture.app?.application)
        var made: (UIWindowScene, UIWindow)?
        await fixture.phone.run(in: AppFixture.bundleID) {
            let session = UISceneSession(role: role, persistentIdentifier: id)
            let scene = UIWindowScene(
                session: session, options: UIScene.ConnectionOptions(), application: application, screen: .main)
            scene.currentState = .foregroundActive
            application.connect(scene)
            let window = UIWindow(windowScene: scene)
            window.rootViewController = UIViewController()
            window.isHidden = false
            made = (scene, window)
        }
        return try #require(made)
    }

    private func bannerScene(_ app: HostApp) -> UIWindowScene? {
        app.application?.windows.last { !$0.isHidden && $0.rootViewController != nil && $0.windowLevel > .normal }?
            .windowScene
    }

    @Test("beside external displays it appears in the app's own window, and in the second window once that is used")
    func secondWindow() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            let first = try #require(app.window?.windowScene)
            for number in 0..<5 {
                _ = try await connect("display \(number)", role: .windowExternalDisplayNonInteractive, fixture)
            }
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(banner.current?.id == "m1" && bannerScene(app) === first)
            let (second, window) = try await connect("second", fixture)
            await fixture.phone.run(in: AppFixture.bundleID) {
                banner.withdraw(["m1"])
                window.makeKey()
            }
            fixture.clock.advance(by: .seconds(1))
            try await fixture.settle()
            #expect(banner.current == nil)
            try await fixture.visible("m2")
            try await fixture.settle()
            #expect(banner.current?.id == "m2" && bannerScene(app) === second)
        }
    }

    @Test("when its window goes to the background, it goes on in the window that is still in front")
    func goesOn() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            let first = try #require(app.window?.windowScene)
            let (second, window) = try await connect("second", fixture)
            await fixture.phone.run(in: AppFixture.bundleID) { window.makeKey() }
            try await fixture.visible("m1")
            try await fixture.settle()
            #expect(bannerScene(app) === second)
            await fixture.phone.run(in: AppFixture.bundleID) {
                second.currentState = .background
                NotificationCenter.default.post(name: UIScene.didEnterBackgroundNotification, object: second)
            }
            try await fixture.settle()
            #expect(banner.current?.id == "m1" && bannerScene(app) === first)
        }
    }

    @Test("its window has the level that the app chooses, and the light or dark style of the app's window")
    func level() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            banner.windowLevel = .statusBar + 1
            app.window?.overrideUserInterfaceStyle = .dark
            try await fixture.visible("m1")
            try await fixture.settle()
            let window = try #require(app.application?.windows.last)
            #expect(window !== app.window && window.windowLevel == .statusBar + 1)
            #expect(window.overrideUserInterfaceStyle == .dark)
        }
    }

    // MARK: The status bar

    private final class Light: UIViewController {
        override func loadView() { view = UIView(frame: .zero) }
        override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
        override var prefersStatusBarHidden: Bool { true }
    }

    private final class Container: UIViewController {
        private let content = Light()
        override func loadView() { view = UIView(frame: .zero) }
        override var childForStatusBarStyle: UIViewController? { content }
        override var childForStatusBarHidden: UIViewController? { content }
    }

    @Test("the status bar stays as the app has it: a container's child decides, and a sheet does not unless it may")
    func statusBar() async throws {
        try await AppFixture.run { fixture in
            let (app, _) = try await open(fixture)
            app.window?.rootViewController = Container()
            let manager = try #require(app.window?.windowScene?.statusBarManager)
            #expect(manager.statusBarStyle == .lightContent && manager.isStatusBarHidden)
            try await fixture.visible("m1")
            try await fixture.settle()
            let controller = try #require(app.application?.windows.last?.rootViewController)
            #expect(controller.preferredStatusBarStyle == .lightContent && controller.prefersStatusBarHidden)
            #expect(manager.statusBarStyle == .lightContent && manager.isStatusBarHidden)
            let sheet = UIViewController()
            sheet.modalPresentationStyle = .pageSheet
            await fixture.phone.run(in: AppFixture.bundleID) {
                app.window?.rootViewController?.present(sheet, animated: false)
            }
            try await fixture.settle()
            #expect(controller.preferredStatusBarStyle == .lightContent)
            sheet.modalPresentationCapturesStatusBarAppearance = true
            #expect(controller.preferredStatusBarStyle == .default)
        }
    }

    // MARK: VoiceOver

    @Test(
        "while VoiceOver's focus is on it, it stays, and ten seconds longer")
    func focus() async throws {
        try await AppFixture.run { fixture in
            let (app, banner) = try await open(fixture)
            fixture.phone.settings.setVoiceOver(true)
            try await fixture.visible("m1")
            try await fixture.settle()
            fixture.clock.advance(by: .milliseconds(300))
            try await fixture.settle()
            let window = try #require(app.application?.windows.last)
            let view = try #require(window.hitTest(CGPoint(x: 195, y: 60), with: nil))
            #expect(!window.accessibilityViewIsModal && !view.accessibilityViewIsModal)
            view.accessibilityElementDidBecomeFocused()
            fixture.clock.advance(by: .seconds(60))
            try await fixture.settle()
            #expect(banner.current?.id == "m1")
            view.accessibilityElementDidLoseFocus()
            fixture.clock.advance(by: .milliseconds(9900))
            try await fixture.settle()
            #expect(banner.current?.id == "m1")
            fixture.clock.advance(by: .milliseconds(500))
            try await fixture.settle()
            #expect(banner.current == nil)
        }
    }
}
