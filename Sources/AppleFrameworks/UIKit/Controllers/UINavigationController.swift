import Foundation

/// A stack of screens.
/// [UINavigationController](https://developer.apple.com/documentation/uikit/uinavigationcontroller)
///
/// Differs from iOS: transitions are not animated.
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
        showItems()
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

    open override func show(_ vc: UIViewController, sender: Any?) { pushViewController(vc, animated: true) }

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

    private func showItems() {
        for controller in viewControllers.suffix(2) {
            controller.navigationItem.changed = { [weak self] in self?.showItems() }
        }
        navigationBar.show(viewControllers.map(\.navigationItem))
    }

    private func showTop() {
        showItems()
        guard isViewLoaded, let top = topViewController else { return }
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
