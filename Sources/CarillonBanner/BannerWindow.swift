import Foundation
import UIKit

/// The banner's own window: above the status bar, never key, and transparent to touches outside the banner.
final class BannerWindow: UIWindow {
    weak var banner: UIView?
    var onLayout: (() -> Void)?

    override var canBecomeKey: Bool { false }

    /// Returns whether a point is on the banner; touches elsewhere go to the windows below.
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        guard let banner else { return false }
        return banner.frame.contains(point)
    }

    override func safeAreaInsetsDidChange() {
        super.safeAreaInsetsDidChange()
        onLayout?()
    }

    /// Reports the new layout, for example after a rotation, so that the presenter moves the banner.
    override func layoutSubviews() {
        super.layoutSubviews()
        onLayout?()
    }
}

/// The root view controller of the banner's window; it keeps the status bar and the orientation that the app has chosen.
///
/// iOS asks the root controller of the topmost window about status bar and orientation. While a banner is visible, that is this
/// controller.
final class BannerController: UIViewController {
    /// The app's own window, behind the banner's.
    weak var appWindow: UIWindow?

    /// The app's topmost controller that fills the screen.
    private var behind: UIViewController? {
        var controller = appWindow?.rootViewController
        while let presented = controller?.presentedViewController { controller = presented }
        return controller
    }

    /// Returns the app's view controller that decides about a property of the status bar, such as its style.
    ///
    /// The search starts at the topmost controller that iOS would ask. While a controller leaves the decision to a child, the
    /// search moves on to that child.
    ///
    /// - Parameter child: a closure that returns the child to which a controller leaves the decision; `nil` if the controller
    ///   decides itself.
    /// - Returns: the controller that decides; `nil` if the app's window has no root view controller.
    private func decider(_ child: (UIViewController) -> UIViewController?) -> UIViewController? {
        var controller = appWindow?.rootViewController
        while let presented = controller?.presentedViewController,
            presented.modalPresentationStyle == .fullScreen || presented.modalPresentationCapturesStatusBarAppearance
        { controller = presented }
        while let next = controller.flatMap(child) { controller = next }
        return controller
    }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        behind?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
    }

    override var preferredStatusBarStyle: UIStatusBarStyle {
        decider(\.childForStatusBarStyle)?.preferredStatusBarStyle ?? super.preferredStatusBarStyle
    }

    override var prefersStatusBarHidden: Bool {
        decider(\.childForStatusBarHidden)?.prefersStatusBarHidden ?? super.prefersStatusBarHidden
    }
}
