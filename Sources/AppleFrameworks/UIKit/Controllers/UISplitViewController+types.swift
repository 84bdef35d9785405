import Foundation

extension UISplitViewController {
    /// The style of a split view: the number of its columns.
    @available(iOS 14, *)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Style: Int, Sendable {
        /// A split view without columns: `viewControllers` has one controller for a list and one for the chosen item.
        case unspecified = 0
        case doubleColumn = 1
        case tripleColumn = 2
    }

    /// A column of a split view.
    @available(iOS 14, *)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Column: Int, Sendable {
        case primary = 0
        case supplementary = 1
        case secondary = 2
        /// The column that a phone shows in place of all other columns.
        case compact = 3
    }

    /// The columns that are visible if there is room for more than one.
    @available(iOS 8, *)
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum DisplayMode: Int, Sendable {
        case automatic = 0
        @available(iOS 14, *)
        case secondaryOnly = 1
        @available(iOS 14, *)
        case oneBesideSecondary = 2
        @available(iOS 14, *)
        case oneOverSecondary = 3
        @available(iOS 14, *)
        case twoBesideSecondary = 4
        @available(iOS 14, *)
        case twoOverSecondary = 5
        @available(iOS 14, *)
        case twoDisplaceSecondary = 6

        @available(iOS, introduced: 8, deprecated: 14, renamed: "secondaryOnly")
        public static var primaryHidden: Self { .secondaryOnly }
        @available(iOS, introduced: 8, deprecated: 14, renamed: "oneBesideSecondary")
        public static var allVisible: Self { .oneBesideSecondary }
        @available(iOS, introduced: 8, deprecated: 14, renamed: "oneOverSecondary")
        public static var primaryOverlay: Self { .oneOverSecondary }
    }
}

/// The methods that let a delegate control how a split view collapses its controllers into one.
/// [UISplitViewControllerDelegate](https://developer.apple.com/documentation/uikit/uisplitviewcontrollerdelegate)
@MainActor @preconcurrency public protocol UISplitViewControllerDelegate: AnyObject {
    /// Returns the controller to keep when collapsing; `nil`, the default, means the first of the split view's controllers.
    @available(iOS 8, *)
    func primaryViewController(forCollapsing splitViewController: UISplitViewController) -> UIViewController?
    /// Called on collapsing. Returns `true` to keep only the primary controller, such as the list.
    ///
    /// With `false`, the default, the secondary controller is pushed onto the primary controller's navigation stack.
    @available(iOS 8, *)
    func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool
    /// Returns the column to show when collapsing; the default is `proposedTopColumn`, the last column that has a controller.
    @available(iOS 14, *)
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column
    /// Called by `show(_:sender:)`. Returns whether the delegate shows the controller itself; the default is `false`.
    @available(iOS 8, *)
    func splitViewController(
        _ splitViewController: UISplitViewController, show vc: UIViewController, sender: Any?
    ) -> Bool
    /// Called by `showDetailViewController(_:sender:)`. Returns whether the delegate shows the controller itself; the default
    /// is `false`.
    @available(iOS 8, *)
    func splitViewController(
        _ splitViewController: UISplitViewController, showDetail vc: UIViewController, sender: Any?
    ) -> Bool
}

extension UISplitViewControllerDelegate {
    public func primaryViewController(
        forCollapsing splitViewController: UISplitViewController
    ) -> UIViewController? { nil }

    public func splitViewController(
        _ splitViewController: UISplitViewController, collapseSecondary secondaryViewController: UIViewController,
        onto primaryViewController: UIViewController
    ) -> Bool { false }

    public func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { proposedTopColumn }

    public func splitViewController(
        _ splitViewController: UISplitViewController, show vc: UIViewController, sender: Any?
    ) -> Bool { false }

    public func splitViewController(
        _ splitViewController: UISplitViewController, showDetail vc: UIViewController, sender: Any?
    ) -> Bool { false }
}
