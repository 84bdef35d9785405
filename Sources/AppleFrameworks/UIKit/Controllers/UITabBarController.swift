import Foundation

/// A tab's button.
@MainActor public class UITabBarItem: NSObject {
    public var title: String?
    public var image: UIImage?
    public var badgeValue: String?
    public var tag: Int

    public init(title: String?, image: UIImage?, tag: Int) {
        self.title = title
        self.image = image
        self.tag = tag
    }
}

/// Several screens, of which one is chosen by tabs.
/// [UITabBarController](https://developer.apple.com/documentation/uikit/uitabbarcontroller)
@MainActor open class UITabBarController: UIViewController {
    open var viewControllers: [UIViewController]? {
        didSet {
            for controller in oldValue ?? [] { controller.removeFromParent() }
            for controller in viewControllers ?? [] { addChild(controller) }
            shown?.viewIfLoaded?.removeFromSuperview()
            shown = nil
            showSelected()
        }
    }

    open private(set) lazy var tabBar = UITabBar(frame: .zero)
    private var shown: UIViewController?

    /// Out of range changes nothing.
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
        tabBar.onChoice = { [weak self] in self?.selectedIndex = $0 }
        view.addSubview(tabBar)
        showSelected()
    }

    open override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        let height = UITabBar.height + view.safeAreaInsets.bottom
        tabBar.frame = CGRect(x: 0, y: view.bounds.height - height, width: view.bounds.width, height: height)
    }

    override var barInsets: UIEdgeInsets { UIEdgeInsets(bottom: UITabBar.height) }

    private func showSelected() {
        guard isViewLoaded, let selected = selectedViewController else { return }
        tabBar.show((viewControllers ?? []).map(\.tabBarItem), selectedIndex: selectedIndex)
        guard selected !== shown else { return }
        shown?.disappear(animated: false)
        shown?.viewIfLoaded?.removeFromSuperview()
        shown = selected
        selected.view.frame = view.bounds
        selected.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.insertSubview(selected.view, at: 0)
        selected.appear(animated: false)
    }
}
