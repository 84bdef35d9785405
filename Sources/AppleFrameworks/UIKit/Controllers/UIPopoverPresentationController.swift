import Foundation

/// The anchor of a popover on an iPad.
/// [UIPopoverPresentationController](https://developer.apple.com/documentation/uikit/uipopoverpresentationcontroller)
///
/// Differs from iOS: settings are stored without effect; the presented controller covers the screen, as on an iPhone by
/// default.
@available(iOS 8, *)
@MainActor @preconcurrency open class UIPopoverPresentationController: NSObject {
    private weak var presented: UIViewController?
    /// The presented controller; a new one if the app has kept this object for longer than the controller.
    open var presentedViewController: UIViewController { presented ?? UIViewController() }
    open weak var sourceView: UIView?
    open var sourceRect = CGRect.null
    open var permittedArrowDirections = UIPopoverArrowDirection.any
    @available(iOS 9, *)
    open var canOverlapSourceViewRect = false

    init(presented: UIViewController) { self.presented = presented }
}

/// The direction of a popover's arrow.
/// [UIPopoverArrowDirection](https://developer.apple.com/documentation/uikit/uipopoverarrowdirection)
public struct UIPopoverArrowDirection: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let up = Self(rawValue: 1)
    public static let down = Self(rawValue: 2)
    public static let left = Self(rawValue: 4)
    public static let right = Self(rawValue: 8)
    public static let any: Self = [.up, .down, .left, .right]
    public static let unknown = Self(rawValue: .max)
}
