import Foundation
@_spi(Simulation) import UserNotifications

/// A controller for a list and, beside it, the chosen item; on a phone only one of them is visible.
/// [UISplitViewController](https://developer.apple.com/documentation/uikit/uisplitviewcontroller)
///
/// Differs from iOS: the controller is collapsed from its first appearance, in every orientation. If the list and the chosen
/// item each have a navigation controller, collapsing moves the item's controllers onto the list's navigation stack.
@MainActor @preconcurrency open class UISplitViewController: UIViewController {
    @available(iOS 14, *)
    public let style: Style
    open weak var delegate: (any UISplitViewControllerDelegate)?
    /// The preferred arrangement of the columns. Stored without effect, because a phone shows one column.
    @available(iOS 8, *)
    open var preferredDisplayMode = DisplayMode.automatic
    /// Whether a swipe shows a hidden column. Stored without effect, because a phone shows one column.
    open var presentsWithGesture = true
    /// The preferred width of the primary column. Stored without effect, because a phone shows one column.
    @available(iOS 8, *)
    open var preferredPrimaryColumnWidthFraction: CGFloat = UISplitViewController.automaticDimension
    /// The least width of the primary column. Stored without effect, because a phone shows one column.
    @available(iOS 8, *)
    open var minimumPrimaryColumnWidth: CGFloat = UISplitViewController.automaticDimension
    /// The greatest width of the primary column. Stored without effect, because a phone shows one column.
    @available(iOS 8, *)
    open var maximumPrimaryColumnWidth: CGFloat = UISplitViewController.automaticDimension

    /// The controllers of the list and of the chosen item, in a split view without columns.
    private var pair: [UIViewController] = []
    private var columns: [Column: UINavigationController] = [:]
    private var shown: UIViewController?

    @available(iOS 8, *)
    public nonisolated static let automaticDimension: CGFloat = -.greatestFiniteMagnitude

    /// Makes a controller with columns.
    ///
    /// The split view puts each column's controller into a new navigation controller, unless the column's controller is a
    /// navigation controller itself.
    @available(iOS 14, *)
    public init(style: Style) {
        self.style = style
        super.init(nibName: nil, bundle: nil)
    }

    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        style = .unspecified
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    public required init?(coder: NSCoder) { nil }

    public convenience init() { self.init(nibName: nil, bundle: nil) }

    /// The controllers of the list and the chosen item; in a split view with a style, the controllers of the columns.
    ///
    /// After collapsing, the value contains only the visible controller.
    open var viewControllers: [UIViewController] {
        get {
            if let shown { return [shown] }
            return style == .unspecified ? pair : [.primary, .supplementary, .secondary].compactMap { columns[$0] }
        }
        set {
            pair = newValue
            if isCollapsed { collapse() }
        }
    }

    /// Whether only one column is visible; on a phone, `true` from the split view's first appearance on.
    @available(iOS 8, *)
    open var isCollapsed: Bool { shown != nil }

    open override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        if !isCollapsed { collapse() }
    }

    private func collapse() {
        guard let next = style == .unspecified ? collapsedPair() : collapsedColumns(), next !== shown else { return }
        shown?.disappear(animated: false)
        shown?.viewIfLoaded?.removeFromSuperview()
        shown?.removeFromParent()
        shown = next
        addChild(next)
        next.view.frame = view.bounds
        next.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(next.view)
        if style != .unspecified { showTopColumn() }
        next.appear(animated: false)
    }

    private func collapsedPair() -> UIViewController? {
        guard let primary = delegate?.primaryViewController(forCollapsing: self) ?? pair.first else { return nil }
        guard pair.count > 1, let secondary = pair.last,
            delegate?.splitViewController(self, collapseSecondary: secondary, onto: primary) != true
        else { return primary }
        lay(secondary, over: primary)
        return primary
    }

    /// Pushes `controller` onto the navigation stack of `other`.
    ///
    /// - Returns: `false` if `other` is no navigation controller, or is `controller` itself.
    @discardableResult
    private func lay(_ controller: UIViewController, over other: UIViewController?) -> Bool {
        guard let stack = other as? UINavigationController, stack !== controller else { return false }
        stack.viewControllers += (controller as? UINavigationController)?.viewControllers ?? [controller]
        return true
    }

    /// Shows a controller as the chosen item.
    ///
    /// In a split view with columns, the controller becomes the secondary column. Otherwise it is pushed onto the list's
    /// navigation stack, or presented if the list has no such stack.
    open override func showDetailViewController(_ vc: UIViewController, sender: Any?) {
        if delegate?.splitViewController(self, showDetail: vc, sender: sender) == true { return }
        if style != .unspecified {
            setViewController(vc, for: .secondary)
            show(.secondary)
        } else if let shown {
            if !lay(vc, over: shown) { present(vc, animated: true) }
        } else {
            pair = pair.prefix(1) + [vc]
        }
    }

    open override func show(_ vc: UIViewController, sender: Any?) {
        if delegate?.splitViewController(self, show: vc, sender: sender) == true { return }
        if !lay(vc, over: shown ?? viewControllers.first) { present(vc, animated: true) }
    }

    // MARK: columns

    /// Returns the navigation controller of a column; `nil` for an empty column.
    ///
    /// If another kind of controller was set for the column, the split view has put that controller into a new navigation
    /// controller.
    @available(iOS 14, *)
    open func viewController(for column: Column) -> UIViewController? { columns[column] }

    @available(iOS 14, *)
    open func setViewController(_ vc: UIViewController?, for column: Column) {
        guard style != .unspecified else {
            return SimulatedDevices.hasMade(mistake: "splitViewWithoutColumns", "\(column)")
        }
        columns[column] = vc.map { $0 as? UINavigationController ?? UINavigationController(rootViewController: $0) }
    }

    /// Shows a column at the top of the navigation stack.
    ///
    /// Showing the primary column removes all other columns from the stack.
    @available(iOS 14, *)
    open func show(_ column: Column) {
        guard let stack = columns[.primary], stack === shown else { return }
        let others = [Column.supplementary, .secondary]
        let over = Set(others.flatMap { columns[$0]?.viewControllers ?? [] })
        stack.viewControllers =
            stack.viewControllers.prefix { !over.contains($0) }
            + others.filter { $0.rawValue <= column.rawValue }.flatMap { columns[$0]?.viewControllers ?? [] }
    }

    private func collapsedColumns() -> UIViewController? {
        columns[.compact] ?? [.primary, .supplementary, .secondary].lazy.compactMap { self.columns[$0] }.first
    }

    private func showTopColumn() {
        guard let last = [Column.secondary, .supplementary].first(where: { columns[$0] != nil }) else { return }
        show(delegate?.splitViewController(self, topColumnForCollapsingToProposedTopColumn: last) ?? last)
    }
}
