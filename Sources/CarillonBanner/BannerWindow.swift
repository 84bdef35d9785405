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
