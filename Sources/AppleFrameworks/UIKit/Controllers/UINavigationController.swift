import Foundation

/// What a navigation bar shows for a screen.
@MainActor @preconcurrency public class UINavigationItem: NSObject {
    public var title: String? { didSet { changed?() } }
    var changed: (@MainActor () -> Void)?

    public init(title: String) { self.title = title }
}

/// A stack of screens.
/// [UINavigationController](https://developer.apple.com/documentation/uikit/uinavigationcontroller)
///
/// Differs from iOS: no transitions.
@MainActor @preconcurrency open class UINavigationController: UIViewController {
    open var viewControllers: [UIViewController] = [] {
        didSet {
            for controller in oldValue where !viewControllers.contains(controller) { controller.removeFromParent() }
            for controller in viewControllers where !oldValue.contains(controller) { addChild(controller) }
            showTop()
        }
    }

    public private(set) lazy var navigationBar = makeNavigationBar()
    private var shown: UIViewController?

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        viewControllers = [rootViewController]
        addChild(rootViewController)
    }

    public required init?(coder: NSCoder) { nil }

    public convenience init() { self.init(nibName: nil, bundle: nil) }

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    open var topViewController: UIViewController? { viewControllers.last }
    open var visibleViewController: UIViewController? { presentedViewController ?? topViewController }

    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        viewControllers.append(viewController)
    }

    @discardableResult
    open func popViewController(animated: Bool) -> UIViewController? {
        viewControllers.count > 1 ? viewControllers.removeLast() : nil
    }

    @discardableResult
    open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        let popped = Array(viewControllers.dropFirst())
        viewControllers = Array(viewControllers.prefix(1))
        return popped
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(navigationBar)
        showTop()
    }

    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let height = UINavigationBar.height + (view.window?.owner?.screen.safeAreaInsets.top ?? 0)
        navigationBar.frame = CGRect(x: 0, y: 0, width: view.bounds.width, height: height)
    }

    private func makeNavigationBar() -> UINavigationBar {
        let bar = UINavigationBar(frame: .zero)
        bar.goBack = { [weak self] in self?.popViewController(animated: true) }
        return bar
    }

    private func showTitle() {
        topViewController?.navigationItem.changed = { [weak self] in self?.showTitle() }
        let below = viewControllers.dropLast().last
        navigationBar.show(
            title: topViewController?.navigationItem.title,
            backTitle: below.map { $0.navigationItem.title ?? "Back" })
    }

    private func showTop() {
        guard isViewLoaded, let top = topViewController else { return }
        showTitle()
        guard top !== shown else { return }
        shown?.disappear(animated: false)
        shown?.viewIfLoaded?.removeFromSuperview()
        shown = top
        top.view.frame = view.bounds
        top.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.insertSubview(top.view, at: 0)
        top.appear(animated: false)
    }
}
