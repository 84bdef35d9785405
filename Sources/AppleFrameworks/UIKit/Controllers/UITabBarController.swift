import Foundation

/// The title, symbol and badge of a tab.
@MainActor @preconcurrency public class UITabBarItem: NSObject {
    public var title: String? { didSet { changed?() } }
    public var image: UIImage? { didSet { changed?() } }
    public var badgeValue: String? { didSet { changed?() } }
    /// The colour of the badge. Stored without effect, because badges are red.
    @available(iOS 10, *)
    public var badgeColor: UIColor?
    public var tag: Int
    var changed: (@MainActor () -> Void)?

    public init(title: String?, image: UIImage?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
    }
}

/// A controller of several screens; the person chooses one by its tab.
/// [UITabBarController](https://developer.apple.com/documentation/uikit/uitabbarcontroller)
@MainActor @preconcurrency open class UITabBarController: UIViewController {
    open var viewControllers: [UIViewController]? {
        didSet {
            for controller in oldValue ?? [] { controller.removeFromParent() }
            for controller in viewControllers ?? [] { addChild(controller) }
            shown?.viewIfLoaded?.removeFromSuperview()
            shown = nil
            showSelected()
        }
    }

    /// Replaces the controllers of the tabs.
    ///
    /// - Parameter animated: has no effect.
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {
        self.viewControllers = viewControllers
    }

    public private(set) lazy var tabBar = makeTabBar()
    private var shown: UIViewController?

    /// The index of the selected screen; setting a value out of range has no effect.
    open var selectedIndex = 0 {
        didSet {
            if viewControllers?.indices.contains(selectedIndex) != true { selectedIndex = oldValue }
            showSelected()
        }
    }

    open var selectedViewController: UIViewController? {
        get { viewControllers.flatMap { $0.indices.contains(selectedIndex) ? $0[selectedIndex] : nil } }
        set { if let index = viewControllers?.firstIndex(where: { $0 === newValue }) { selectedIndex = index } }
    }

    open override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(tabBar)
        showSelected()
    }

    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let height = UITabBar.height + (view.window?.owner?.screen.safeAreaInsets.bottom ?? 0)
        tabBar.frame = CGRect(x: 0, y: view.bounds.height - height, width: view.bounds.width, height: height)
    }

    private func makeTabBar() -> UITabBar {
        let bar = UITabBar(frame: .zero)
        bar.choose = { [weak self] in self?.selectedIndex = $0 }
        return bar
    }

    private func showTabs() {
        let items = (viewControllers ?? []).compactMap(\.tabBarItem)
        for item in items { item.changed = { [weak self] in self?.showTabs() } }
        tabBar.show(items, selectedIndex: selectedIndex)
    }

    private func showSelected() {
        guard isViewLoaded else { return }
        showTabs()
        guard let selected = selectedViewController, selected !== shown else { return }
        shown?.disappear(animated: false)
        shown?.viewIfLoaded?.removeFromSuperview()
        shown = selected
        selected.view.frame = view.bounds
        selected.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.insertSubview(selected.view, at: 0)
        selected.appear(animated: false)
    }
}
