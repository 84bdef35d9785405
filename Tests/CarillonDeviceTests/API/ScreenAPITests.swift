import CarillonDevice
import Foundation
import Testing
import UIKit

/// A list, whose name is on the screen.
private final class NamedController: UIViewController {
    init(_ name: String) {
        super.init(nibName: nil, bundle: nil)
        title = name
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        let label = UILabel(frame: CGRect(x: 20, y: 200, width: 200, height: 30))
        label.text = "this is \(title ?? "?")"
        view.addSubview(label)
    }
}

private final class SplitDelegate: UISplitViewControllerDelegate {
    var collapsesItself = false
    var top: UISplitViewController.Column?
    private(set) var proposed: UISplitViewController.Column?

    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { collapsesItself }

    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column {
        proposed = proposedTopColumn
        return top ?? proposedTopColumn
    }
}

/// Shows what a test gives it, and remembers its windows at launch.
private final class RootApp: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    var hidden: UIWindow?
    let makeRoot: @MainActor () -> UIViewController
    private(set) var windowsAtLaunch: [Bool] = []

    init(_ makeRoot: @escaping @MainActor () -> UIViewController) { self.makeRoot = makeRoot }
    override convenience init() { self.init { UIViewController() } }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        windowsAtLaunch = application.windows.map(\.isHidden)
        guard window == nil else { return true }
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.rootViewController = makeRoot()
        window?.makeKeyAndVisible()
        return true
    }
}

@MainActor @Suite("What strangers' screens use") struct ScreenAPITests {
    private let id = "app.screen"

    private func run(
        _ makeRoot: @escaping @MainActor @Sendable () -> UIViewController,
        _ body: @MainActor (AppUnderTest) async throws -> Void
    ) async throws {
        try await AppUnderTest.run(
            AppBundle(bundleID: id, name: "Screen", makeDelegate: { RootApp(makeRoot) })
        ) { app in
            try await app.open()
            try await body(app)
        }
    }

    private func shown(_ app: AppUnderTest) -> [String] {
        app.texts.filter { $0.hasPrefix("this is ") }.map { String($0.dropFirst(8)) }
    }

    @Test("a switch is turned by a touch that ends on it, and tells nobody of what code sets")
    func switches() async throws {
        let (callLog, control) = (CallLog(), Held<UISwitch>())
        try await run {
            let controller = UIViewController()
            let made = UISwitch(frame: CGRect(x: 20, y: 100, width: 1, height: 1))
            made.addAction(
                UIAction { callLog.write("\(($0.sender as? UISwitch)?.isOn == true)") }, for: .valueChanged)
            controller.view.addSubview(made)
            control.value = made
            return controller
        } _: { app in
            let control = try #require(control.value)
            #expect(control.frame == CGRect(x: 20, y: 100, width: 51, height: 31) && !control.isOn)
            let off = (control.subviews.first?.frame.midX, control.backgroundColor)
            try await app.phone.screen.tap(atX: 60, y: 120)
            #expect(control.isOn && callLog.lines == ["true"])
            #expect(control.subviews.first?.frame.midX != off.0 && control.backgroundColor != off.1)
            try await app.phone.screen.touch(atX: 60, y: 120, phase: .began)
            try await app.phone.screen.touch(atX: 60, y: 400, phase: .ended)
            #expect(control.isOn && callLog.lines == ["true"])
            control.setOn(false, animated: true)
            control.onTintColor = .red
            #expect(!control.isOn && callLog.lines == ["true"] && control.backgroundColor == .systemGray5)
            control.isEnabled = false
            try await app.phone.screen.tap(atX: 60, y: 120)
            #expect(!control.isOn && callLog.lines == ["true"])
            control.isEnabled = true
            try await app.phone.screen.tap(atX: 21, y: 101)
            #expect(control.isOn && callLog.lines == ["true", "true"] && control.backgroundColor == .red)
            #expect(control.intrinsicContentSize == control.sizeThatFits(.zero))
        }
    }

    @Test("the way back says the title of where it leads, or what that screen says in its place")
    func back() async throws {
        let stack = Held<UINavigationController>()
        try await run {
            let made = UINavigationController(rootViewController: NamedController("Mail"))
            stack.value = made
            return made
        } _: { app in
            let stack = try #require(stack.value)
            let item = try #require(stack.topViewController?.navigationItem)
            #expect(stack.navigationBar.backItem == nil && stack.navigationBar.topItem === item)
            try await app.phone.value(in: id) { stack.topViewController?.show(NamedController("Zoë"), sender: nil) }
            #expect(stack.navigationBar.backItem === item && stack.navigationBar.items?.count == 2)
            #expect(stack.navigationBar.topItem?.title == "Zoë")
            let button = try #require(stack.navigationBar.subviews.compactMap { $0 as? UIButton }.first)
            #expect(button.currentTitle == "Mail" && !button.isHidden)
            item.backButtonTitle = "All"
            #expect(button.currentTitle == "All")
            item.backButtonDisplayMode = .generic
            #expect(button.currentTitle == "Back")
            item.backButtonDisplayMode = .minimal
            #expect(button.currentTitle == "")
            (item.backButtonDisplayMode, item.backButtonTitle, item.title) = (.default, nil, "")
            #expect(button.currentTitle == "Back")
            stack.topViewController?.navigationItem.hidesBackButton = true
            #expect(button.isHidden)
        }
    }

    @Test("an app's windows are there before they are shown, and while they are hidden")
    func windows() async throws {
        var bundle = AppBundle(bundleID: id, name: "Screen", makeDelegate: { RootApp() })
        bundle.mainStoryboard = "Main"
        bundle.storyboards["Main"] = AppBundle.Storyboard { NamedController("first") }
        try await AppUnderTest.run(bundle) { app in
            try await app.open()
            let delegate = try #require(app.delegate(as: RootApp.self))
            #expect(delegate.windowsAtLaunch == [true])
            try await app.phone.value(in: id) {
                let (hidden, scene) = (UIWindow(frame: .zero), UIApplication.shared.connectedScenes.first)
                delegate.hidden = hidden
                let main = try #require(delegate.window)
                #expect(UIApplication.shared.windows == [main, hidden])
                #expect((scene as? UIWindowScene)?.windows == [main, hidden])
                hidden.windowLevel = .normal - 1
                #expect(UIApplication.shared.windows.last === delegate.window)
                hidden.windowLevel = .normal
                delegate.window?.isHidden = true
                delegate.window?.makeKeyAndVisible()
                #expect(UIApplication.shared.windows == [hidden, main])
            }
            delegate.hidden = nil
            try await app.phone.value(in: id) { #expect(UIApplication.shared.windows.count == 1) }
        }
    }

    @Test("a pair collapses into one: what was chosen over the list, or the list where the delegate wants it")
    func pairs() async throws {
        for keepsList in [false, true] {
            let (split, delegate) = (Held<UISplitViewController>(), SplitDelegate())
            delegate.collapsesItself = keepsList
            try await run {
                let made = UISplitViewController()
                made.viewControllers = ["list", "detail"].map {
                    UINavigationController(rootViewController: NamedController($0))
                }
                made.delegate = delegate
                split.value = made
                #expect(!made.isCollapsed && made.viewControllers.count == 2)
                return made
            } _: { app in
                let split = try #require(split.value)
                #expect(split.isCollapsed && split.viewControllers.count == 1)
                #expect(shown(app) == [keepsList ? "list" : "detail"])
                let stack = try #require(split.viewControllers.first as? UINavigationController)
                try await app.phone.value(in: id) {
                    stack.popToRootViewController(animated: true)
                    stack.topViewController?.showDetailViewController(NamedController("other"), sender: nil)
                }
                #expect(shown(app) == ["other"] && stack.viewControllers.count == 2)
                #expect(stack.topViewController?.splitViewController === split)
            }
        }
    }

    @Test("columns collapse to the last one, unless the delegate wants another, and come when they are shown")
    func columns() async throws {
        for top in [nil, UISplitViewController.Column.primary] {
            let (split, delegate) = (Held<UISplitViewController>(), SplitDelegate())
            delegate.top = top
            try await run {
                let made = UISplitViewController(style: .tripleColumn)
                made.delegate = delegate
                made.setViewController(NamedController("list"), for: .primary)
                made.setViewController(NamedController("middle"), for: .supplementary)
                made.setViewController(NamedController("detail"), for: .secondary)
                split.value = made
                return made
            } _: { app in
                let split = try #require(split.value)
                #expect(delegate.proposed == .secondary && shown(app) == [top == nil ? "detail" : "list"])
                try await app.phone.value(in: id) { split.show(.supplementary) }
                #expect(shown(app) == ["middle"])
                try await app.phone.value(in: id) { split.show(.primary) }
                #expect(shown(app) == ["list"])
                try await app.phone.value(in: id) {
                    split.showDetailViewController(NamedController("other"), sender: nil)
                }
                #expect(shown(app) == ["other"])
                #expect((split.viewControllers.first as? UINavigationController)?.viewControllers.count == 3)
                split.setViewController(nil, for: .secondary)
                #expect(split.viewController(for: .secondary) == nil && split.viewController(for: .primary) != nil)
            }
        }
    }

    @Test("a phone shows the compact column in place of the others")
    func compact() async throws {
        try await run {
            let made = UISplitViewController(style: .doubleColumn)
            made.setViewController(NamedController("list"), for: .primary)
            made.setViewController(NamedController("small"), for: .compact)
            return made
        } _: { app in
            #expect(shown(app) == ["small"])
        }
    }

    @Test("places are the same said in a view's coordinates, in the scene's and in the screen's")
    func places() async throws {
        try await run {
            UIViewController()
        } _: { app in
            try await app.phone.value(in: id) {
                let scene = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.first
                let root = UIApplication.shared.windows.first?.rootViewController?.view
                let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
                root?.addSubview(view)
                let space = try #require(scene?.coordinateSpace)
                #expect(space.bounds == UIScreen.main.bounds)
                #expect(view.convert(CGPoint(x: 1, y: 2), to: space) == CGPoint(x: 11, y: 22))
                #expect(view.convert(CGPoint(x: 11, y: 22), from: space) == CGPoint(x: 1, y: 2))
                #expect(view.convert(view.bounds, to: space) == view.frame)
                #expect(view.convert(view.frame, from: space) == view.bounds)
                #expect(space.convert(view.bounds, from: view) == view.frame)
                #expect(space.convert(view.frame, to: view) == view.bounds)
                #expect(space.convert(CGPoint(x: 10, y: 20), to: view) == .zero)
                #expect(space.convert(CGPoint.zero, from: UIScreen.main.coordinateSpace) == .zero)
            }
        }
    }

    @Test("the status bar is as the topmost controller wants it, and of no height where that hides it")
    func statusBar() async throws {
        final class DarkController: UIViewController {
            override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
        }
        final class FullController: UIViewController {
            override var prefersStatusBarHidden: Bool { true }
        }
        try await run {
            DarkController()
        } _: { app in
            try await app.phone.value(in: id) {
                let application = UIApplication.shared
                let scene = application.connectedScenes.compactMap { $0 as? UIWindowScene }.first
                let manager = try #require(scene?.statusBarManager)
                #expect(manager.statusBarStyle == .lightContent && !manager.isStatusBarHidden)
                #expect(manager.statusBarFrame.height == scene?.windows.first?.safeAreaInsets.top)
                #expect(application.statusBarFrame == manager.statusBarFrame && !application.isStatusBarHidden)
                application.statusBarStyle = .darkContent
                #expect(application.statusBarStyle == .lightContent)
                application.windows.first?.rootViewController?.present(FullController(), animated: false)
                #expect(manager.isStatusBarHidden && manager.statusBarFrame == .zero)
                #expect(application.isStatusBarHidden && manager.statusBarStyle == .default)
            }
        }
        try await run {
            DarkController()
        } _: { app in
            await app.phone.screen.rotate(to: .landscapeLeft)
            try await app.phone.value(in: id) { #expect(UIApplication.shared.isStatusBarHidden) }
        }
    }

    @Test("a popover has where it points at, an action sheet of an iPhone has none")
    func popovers() {
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        #expect(sheet.popoverPresentationController == nil)
        let controller = UIViewController()
        controller.modalPresentationStyle = .popover
        let (popover, view) = (controller.popoverPresentationController, UIView(frame: .zero))
        popover?.sourceView = view
        popover?.permittedArrowDirections = [.up, .left]
        #expect(controller.popoverPresentationController?.sourceView === view)
        #expect(popover?.presentedViewController === controller && popover?.sourceRect == .null)
    }

    @Test("what a class of views is to look like is taken, of each class that UIKit has, and changes none")
    func appearances() {
        UITextField.appearance().textColor = .red
        UITextField.appearance(whenContainedInInstancesOf: [UIAlertController.self, UITableView.self]).font = nil
        UISwitch.appearance().onTintColor = .red
        UIView.appearance().tintColor = .red
        UITableView.appearance().backgroundColor = .red
        UITableViewCell.appearance().backgroundColor = .red
        UITabBar.appearance().barTintColor = .red
        UIActivityIndicatorView.appearance().color = .red
        #expect(UITextField(frame: .zero).textColor == .label && UISwitch(frame: .zero).onTintColor == nil)
        #expect(UITextField.appearance().textColor == .label && UIView(frame: .zero).tintColor == .systemBlue)
        let others = [UIButton.appearance(), UILabel.appearance(), UIControl.appearance(), UIImageView.appearance()]
        #expect(others.allSatisfy { $0.superview == nil } && UITextView.appearance().superview == nil)
        #expect(UIScrollView.appearance().superview == nil && UINavigationBar.appearance().superview == nil)
        OwnView.appearance().backgroundColor = .red
        #expect(type(of: OwnView.appearance()) == OwnView.self && OwnView(frame: .zero).backgroundColor == nil)
    }
}

/// A place for what an app's code makes, to be looked at by its test.
@MainActor private final class Held<Value> {
    var value: Value?
}

/// A view class of an app, with an initializer of its own.
private final class OwnView: UIView {
    private let number: Int

    override init(frame: CGRect) {
        number = 7
        super.init(frame: frame)
    }

    required init?(coder: NSCoder) { nil }
}
