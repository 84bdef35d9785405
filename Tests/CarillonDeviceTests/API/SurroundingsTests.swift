import CarillonDevice
import Foundation
import Testing
import UIKit

/// Writes down how it is turned and coloured.
final class TurningController: UIViewController {
    let callLog: CallLog
    var orientations = UIInterfaceOrientationMask.allButUpsideDown
    let banner = UIView(frame: CGRect(x: 8, y: 50, width: 374, height: 72))

    init(_ callLog: CallLog) {
        self.callLog = callLog
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }
    required convenience init() { self.init(CallLog()) }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { orientations }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        banner.autoresizingMask = .flexibleWidth
        view.addSubview(banner)
    }

    override func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        super.viewWillTransition(to: size, with: coordinator)
        callLog.write("to \(Int(size.width)) × \(Int(size.height))")
        coordinator.animate { [callLog, view] _ in
            callLog.write("alongside \(Int(view?.bounds.width ?? 0))")
        } completion: { [callLog] _ in
            callLog.write("turned")
        }
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        let old = previousTraitCollection
        callLog.write("traits \(traitCollection.verticalSizeClass) \(traitCollection.userInterfaceStyle)")
        #expect(old != nil && old != traitCollection)
    }

    override func viewSafeAreaInsetsDidChange() {
        super.viewSafeAreaInsetsDidChange()
        let insets = view.safeAreaInsets
        callLog.write("insets \([insets.top, insets.left, insets.bottom, insets.right].map { Int($0) })")
    }
}

final class TurningApp: CallLoggingResponder, UIApplicationDelegate {
    var window: UIWindow?
    private(set) var controller = TurningController(CallLog())
    var orientations = UIInterfaceOrientationMask.allButUpsideDown

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        controller = TurningController(callLog)
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = controller
        window.makeKeyAndVisible()
        self.window = window
        return true
    }

    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { orientations }
}

@MainActor @Suite("A phone that is turned, or dark") struct SurroundingsTests {
    private let id = TestPhone.bundleID

    private func onScreen(_ body: @MainActor (TestPhone, TurningApp) async throws -> Void) async throws {
        try await TestPhone.run { test in
            test.install { TurningApp($0) }
            try await test.phone.openApp(id)
            _ = test.phone.screen.viewTree(of: id)
            try await body(test, try #require(test.phone.delegate(of: id) as? TurningApp))
        }
    }

    @Test("lying on its side the app is wide, the notch is beside it, and its controllers are told in Apple's order")
    func rotates() async throws {
        try await onScreen { test, app in
            #expect(test.callLog.lines == ["insets [47, 0, 34, 0]"])
            await test.phone.screen.rotate(to: .landscapeLeft)
            #expect(
                test.callLog.lines.dropFirst() == [
                    "to 844 × 390", "alongside 844", "insets [0, 47, 21, 47]", "turned", "traits compact light",
                ])
            #expect(app.window?.bounds.size == CGSize(width: 844, height: 390))
            #expect(app.controller.banner.frame == CGRect(x: 8, y: 50, width: 828, height: 72))
            #expect(app.window?.windowScene?.interfaceOrientation == .landscapeRight)
            let tree = try #require(test.phone.screen.viewTree(of: id))
            #expect(tree.frame.width == 844 && tree.children.first?.frame.height == 390)
            #expect(app.window?.screen.nativeBounds.size == CGSize(width: 1170, height: 2532))
            await test.phone.screen.rotate(to: .portrait)
            #expect(app.controller.view.safeAreaInsets == UIEdgeInsets(top: 47, bottom: 34))
            #expect(app.controller.banner.frame == CGRect(x: 8, y: 50, width: 374, height: 72))
        }
    }

    @Test("an app turns only where app and controller support it, and never by lying flat")
    func supported() async throws {
        try await onScreen { test, app in
            for orientation in [UIDeviceOrientation.faceUp, .portraitUpsideDown] {
                await test.phone.screen.rotate(to: orientation)
                #expect(app.window?.bounds.width == 390)
            }
            app.controller.orientations = .portrait
            await test.phone.screen.rotate(to: .landscapeLeft)
            #expect(app.window?.bounds.width == 390)
            (app.controller.orientations, app.orientations) = (.all, .portrait)
            await test.phone.screen.rotate(to: .landscapeRight)
            #expect(app.window?.bounds.width == 390)
            app.orientations = .landscape
            await test.phone.screen.rotate(to: .landscapeLeft)
            #expect(app.window?.bounds.width == 844)
        }
    }

    @Test("an app that was not in front turns when it comes there; a window without a controller does not turn")
    func later() async throws {
        try await onScreen { test, app in
            var bare: UIWindow?
            await test.phone.run(in: id) {
                bare = UIWindow(frame: UIScreen.main.bounds)
                bare?.isHidden = false
            }
            #expect(bare?.windowScene?.windows.count == 2)
            await test.phone.pressHome()
            await test.phone.screen.rotate(to: .landscapeRight)
            #expect(app.window?.bounds.width == 390)
            try await test.phone.openApp(id)
            #expect(app.window?.bounds.width == 844 && bare?.bounds.width == 390)
            #expect(app.window?.windowScene?.interfaceOrientation == .landscapeLeft)
        }
    }

    @Test("turns are posted to who has asked for it")
    func deviceOrientation() async throws {
        try await onScreen { test, app in
            await test.phone.run(in: id) {
                _ = NotificationCenter.default.addObserver(
                    forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil
                ) { _ in
                    MainActor.assumeIsolated { app.callLog.write("held \(UIDevice.current.orientation)") }
                }
            }
            await test.phone.screen.rotate(to: .faceUp)
            #expect(!test.callLog.contains("held faceUp"))
            await test.phone.run(in: id) { UIDevice.current.beginGeneratingDeviceOrientationNotifications() }
            await test.phone.screen.rotate(to: .landscapeLeft)
            #expect(test.callLog.contains("held landscapeLeft"))
        }
    }

    @Test("in dark mode dynamic colours are drawn dark, except under an override; the app is told")
    func darkMode() async throws {
        try await onScreen { test, app in
            let label = UILabel(frame: CGRect(x: 0, y: 0, width: 100, height: 20))
            label.text = "Text"
            let own = UIView(frame: CGRect(x: 0, y: 30, width: 100, height: 20))
            own.backgroundColor = UIColor { $0.userInterfaceStyle == .dark ? .red : .blue }
            await test.phone.run(in: id) {
                app.controller.banner.addSubview(label)
                app.controller.banner.addSubview(own)
            }
            @MainActor func drawn() -> [String?] {
                let tree = test.phone.screen.viewTree(of: id)
                return [
                    tree?.children.first?.children.first?.backgroundColor,
                    tree?.first { $0.text == "Text" }?.textColor, tree?.first { $0.frame.y == 30 }?.backgroundColor,
                ]
            }
            #expect(drawn() == ["#ffffffff", "#000000ff", "#0000ffff"])
            await test.phone.settings.setDarkMode(true)
            #expect(test.callLog.lines.last == "traits regular dark")
            #expect(drawn() == ["#000000ff", "#ffffffff", "#ff0000ff"])
            await test.phone.run(in: id) { app.controller.banner.overrideUserInterfaceStyle = .light }
            #expect(drawn() == ["#000000ff", "#000000ff", "#0000ffff"])
        }
    }

    @Test("a locked phone turns dark, is rotated and takes a screenshot at once; its suspended app learns it in front")
    func locked() async throws {
        try await onScreen { test, _ in
            await test.phone.lock()
            try await test.phone.settled()
            test.clock.advance(by: .seconds(60))
            try await test.phone.settled()
            try #require(test.phone.runningState(of: id) == .suspended)
            let before = test.callLog.lines
            await test.phone.settings.setDarkMode(true)
            await test.phone.screen.rotate(to: .landscapeLeft)
            await test.phone.screen.takeScreenshot()
            #expect(test.callLog.lines == before)
            await test.phone.unlock()
            try await test.phone.settled()
            #expect(test.callLog.lines.contains("traits compact dark"))
        }
    }

    @Test("an alert stays in the middle, and a sheet at the bottom, with Cancel last and the preferred action bold")
    func alerts() async throws {
        try await onScreen { test, app in
            let alert = UIAlertController(title: "Sure?", message: nil, preferredStyle: .actionSheet)
            let delete = UIAlertAction(title: "Delete", style: .destructive)
            alert.addAction(UIAlertAction(title: "Cancel", style: .cancel))
            alert.addAction(delete)
            alert.preferredAction = delete
            await test.phone.run(in: id) { app.controller.present(alert, animated: true) }
            let box = try #require(alert.view.subviews.first)
            #expect(abs(box.frame.maxY - 802) < 0.01)
            let buttons = box.subviews.compactMap { $0 as? UIButton }
            #expect(buttons.map(\.currentTitle) == ["Delete", "Cancel"])
            #expect(buttons.map { $0.titleLabel?.font } == [.boldSystemFont(ofSize: 17), .systemFont(ofSize: 17)])
            await test.phone.screen.rotate(to: .landscapeLeft)
            #expect(alert.view.bounds.width == 844 && box.center.x == 422)
        }
    }

    @Test("one responder is the first, and who must not resign stays it")
    func firstResponder() async throws {
        try await onScreen { test, app in
            final class Field: UIView {
                var mayResign = true
                override var canBecomeFirstResponder: Bool { true }
                override var canResignFirstResponder: Bool { mayResign }
            }
            let (one, other, plain) = (Field(), Field(), UIView())
            var seen: [Bool] = []
            await test.phone.run(in: id) {
                for view in [one, other, plain] { app.controller.view.addSubview(view) }
                seen = [one.becomeFirstResponder(), plain.becomeFirstResponder(), one.isFirstResponder]
                seen += [other.becomeFirstResponder(), one.isFirstResponder, other.isFirstResponder]
                other.mayResign = false
                seen += [one.becomeFirstResponder(), other.resignFirstResponder(), other.isFirstResponder]
            }
            #expect(seen == [true, false, true, true, false, true, false, false, true])
        }
    }
}
