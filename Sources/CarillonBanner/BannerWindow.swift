import Foundation
import UIKit

/// The banner's own window: above the status bar, never key, and transparent to touches beside the banner.
final class BannerWindow: UIWindow {
    weak var banner: UIView?
    var onLayout: (() -> Void)?

    override var canBecomeKey: Bool { false }

    /// Touches outside of the banner go to the windows below.
    override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
        guard let banner else { return false }
        return banner.frame.contains(point)
    }

    override func safeAreaInsetsDidChange() {
        super.safeAreaInsetsDidChange()
        onLayout?()
    }

    /// A rotation changes where the banner rests.
    override func layoutSubviews() {
        super.layoutSubviews()
        onLayout?()
    }
}

/// The root of the banner's window, which has no opinion of its own about the screen.
///
/// iOS asks the root controller of the topmost window about status bar and orientation: the banner's, while one is visible.
/// So this one says what the app's own controller would.
final class BannerController: UIViewController {
    /// The app's own window, behind the banner's.
    weak var appWindow: UIWindow?

    private var behind: UIViewController? {
        var controller = appWindow?.rootViewController
        while let presented = controller?.presentedViewController { controller = presented }
        return controller
    }

    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        behind?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
    }

    override var preferredStatusBarStyle: UIStatusBarStyle {
        behind?.preferredStatusBarStyle ?? super.preferredStatusBarStyle
    }

    override var prefersStatusBarHidden: Bool { behind?.prefersStatusBarHidden ?? super.prefersStatusBarHidden }
}
