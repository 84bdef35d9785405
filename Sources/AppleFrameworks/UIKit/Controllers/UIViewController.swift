import Foundation
@_spi(Simulation) import UserNotifications

/// An object that manages the views of a screen.
/// [UIViewController](https://developer.apple.com/documentation/uikit/uiviewcontroller)
@MainActor @preconcurrency open class UIViewController: UIResponder {
    private var loaded: UIView?
    private var isShown = false

    open var title: String? {
        didSet {
            navigationItem.title = title
            tabBarItem.title = title
        }
    }
    open lazy var tabBarItem: UITabBarItem! = UITabBarItem(title: title, image: nil, tag: 0)
    open lazy var navigationItem = UINavigationItem(title: title ?? "")
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    open private(set) var children: [UIViewController] = []
    open private(set) weak var parent: UIViewController?
    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?
    /// The storyboard that made the controller; `nil` for a controller made in code.
    open internal(set) var storyboard: UIStoryboard?
    /// The preferred size inside a container. The phone uses it for a content extension.
    open var preferredContentSize = CGSize.zero { didSet { viewIfLoaded?.changed() } }
    /// The extension's context; `nil` for a controller outside extensions.
    @_spi(Simulation) public var hostedExtensionContext: NSExtensionContext?
    open var extensionContext: NSExtensionContext? { hostedExtensionContext ?? parent?.extensionContext }

    /// Makes a controller without a nib: both arguments must be `nil`; a nib's name ends the app, because there are no nibs.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init()
        if let nibNameOrNil { SimulatedDevices.hasMade(mistake: "nibMissing", nibNameOrNil) }
    }

    public override convenience init() { self.init(nibName: nil, bundle: nil) }

    /// Always returns `nil`, because a phone decodes no storyboards.
    public required init?(coder: NSCoder) { nil }

    open var view: UIView! {
        get {
            loadViewIfNeeded()
            return loaded
        }
        set {
            loaded = newValue
            newValue?.viewController = self
        }
    }

    public var viewIfLoaded: UIView? { loaded }
    public var isViewLoaded: Bool { loaded != nil }

    open func loadViewIfNeeded() {
        guard loaded == nil else { return }
        loadView()
        viewDidLoad()
    }

    open func loadView() { view = UIView(frame: UIScreen.main.bounds) }
    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}
    open func viewDidLayoutSubviews() {}
    open func viewWillLayoutSubviews() {}
    open func viewSafeAreaInsetsDidChange() {}
    /// Called when the phone has changed between light and dark, or was rotated. Deprecated since iOS 17.
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
    /// The orientations that this screen supports. The default is all except upside down.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }

    /// Called before the phone is rotated; overrides call `super`, which tells the child controllers.
    open func viewWillTransition(to size: CGSize, with coordinator: any UIViewControllerTransitionCoordinator) {
        for child in children { child.viewWillTransition(to: size, with: coordinator) }
        presentedViewController?.viewWillTransition(to: size, with: coordinator)
    }
    /// Called when the phone is low on memory.
    open func didReceiveMemoryWarning() {}
    open func setNeedsStatusBarAppearanceUpdate() {}
    /// Announces that the supported orientations have changed.
    ///
    /// Differs from iOS: the phone reads the supported orientations only when the phone is rotated.
    @available(iOS 16, *)
    open func setNeedsUpdateOfSupportedInterfaceOrientations() {}
    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    /// The child that decides about the status bar's style in place of this controller.
    ///
    /// Differs from iOS: UIKit's own container controllers return `nil`.
    open var childForStatusBarStyle: UIViewController? { nil }
    /// The child that decides in place of this controller whether the status bar is hidden.
    open var childForStatusBarHidden: UIViewController? { nil }
    /// Whether a controller that is not presented over the full screen decides about the status bar.
    open var modalPresentationCapturesStatusBarAppearance = false

    open override var next: UIResponder? { viewIfLoaded?.superview }

    open var tabBarController: UITabBarController? { nearest() }
    open var navigationController: UINavigationController? { nearest() }
    open var splitViewController: UISplitViewController? { nearest() }
    private lazy var popover = UIPopoverPresentationController(presented: self)

    /// The popover of a controller whose ``modalPresentationStyle`` is `popover`.
    ///
    /// The value is `nil` for other controllers, and for an action sheet, as on an iPhone.
    @available(iOS 8, *)
    open var popoverPresentationController: UIPopoverPresentationController? {
        modalPresentationStyle == .popover ? popover : nil
    }

    /// Shows `vc` in the enclosing navigation controller, or else in the enclosing split view controller; without either,
    /// presents `vc`.
    @available(iOS 8, *)
    open func show(_ vc: UIViewController, sender: Any?) {
        if let container: UIViewController = navigationController ?? splitViewController {
            container.show(vc, sender: sender)
        } else {
            present(vc, animated: true)
        }
    }

    /// Shows `vc` as the chosen item of the split view; without a split view, presents it.
    @available(iOS 8, *)
    open func showDetailViewController(_ vc: UIViewController, sender: Any?) {
        if let splitViewController {
            splitViewController.showDetailViewController(vc, sender: sender)
        } else {
            present(vc, animated: true)
        }
    }

    /// Presents `controller` over everything in this window.
    ///
    /// Differs from iOS: the controller appears immediately, because there are no transitions; `animated` has no effect.
    open func present(
        _ controller: UIViewController, animated: Bool, completion: (() -> Void)? = nil
    ) {
        guard controller !== self else {
            return SimulatedDevices.hasMade(mistake: "presentedOnItself", "\(type(of: self))")
        }
        guard presentedViewController == nil, let window = viewIfLoaded?.window else { return }
        presentedViewController = controller
        controller.presentingViewController = self
        controller.view.frame = window.bounds
        controller.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        window.addSubview(controller.view)
        controller.appear(animated: animated)
        completion?()
    }

    /// Dismisses the controller that this one presents; if it presents none, dismisses this one.
    open func dismiss(animated: Bool, completion: (() -> Void)? = nil) {
        guard let presented = presentedViewController else {
            presentingViewController?.dismiss(animated: animated, completion: completion)
            return
        }
        if presented.presentedViewController != nil { presented.dismiss(animated: animated) }
        presentedViewController = nil
        presented.disappear(animated: animated)
        presented.viewIfLoaded?.removeFromSuperview()
        completion?()
    }

    open func addChild(_ child: UIViewController) {
        guard !isSelfOrAncestor(child) else {
            return SimulatedDevices.hasMade(mistake: "controllerInItself", "\(type(of: child))")
        }
        child.removeFromParent()
        children.append(child)
        child.parent = self
    }

    open func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    private func isSelfOrAncestor(_ other: UIViewController) -> Bool {
        var controller: UIViewController? = self
        while let current = controller, current !== other { controller = current.parent }
        return controller != nil
    }

    open func didMove(toParent parent: UIViewController?) {}
    open func willMove(toParent parent: UIViewController?) {}

    func appear(animated: Bool) {
        guard !isShown else { return }
        isShown = true
        viewWillAppear(animated)
        viewIfLoaded?.layoutIfNeeded()
        viewDidAppear(animated)
    }

    func disappear(animated: Bool) {
        guard isShown else { return }
        isShown = false
        viewWillDisappear(animated)
        viewDidDisappear(animated)
    }

    private func nearest<Controller: UIViewController>() -> Controller? {
        var controller = parent
        while let current = controller {
            if let found = current as? Controller { return found }
            controller = current.parent
        }
        return nil
    }
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case pageSheet = 1
    case formSheet = 2
    case currentContext = 3
    case custom = 4
    case overFullScreen = 5
    case overCurrentContext = 6
    case popover = 7
    @available(iOS 13, *)
    case automatic = -2
    case none = -1
}

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIStatusBarStyle: Int, Sendable {
    case `default` = 0
    case lightContent = 1
    case darkContent = 3
}
