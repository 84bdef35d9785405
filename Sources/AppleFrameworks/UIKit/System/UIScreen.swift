import Foundation
@_spi(Simulation) import UserNotifications

/// The phone's screen.
/// [UIScreen](https://developer.apple.com/documentation/uikit/uiscreen)
@MainActor @preconcurrency public class UIScreen: NSObject {
    /// The bounds in points, in the orientation in which the app is drawn.
    public private(set) var bounds: CGRect
    public let scale: CGFloat
    /// The insets of the safe area. A phone call or a hotspot may change them while the app runs.
    @_spi(Simulation) public var safeAreaInsets: UIEdgeInsets
    @_spi(Simulation) public private(set) var orientation = UIInterfaceOrientation.portrait

    private let upright: (size: CGSize, insets: UIEdgeInsets)

    /// The home indicator's inset in landscape, in points; it is smaller than in portrait.
    private static let lyingBottomInset: CGFloat = 21

    /// Makes the screen of an upright phone.
    @_spi(Simulation) public init(size: CGSize, scale: CGFloat, safeAreaInsets: UIEdgeInsets) {
        bounds = CGRect(origin: .zero, size: size)
        self.scale = scale
        self.safeAreaInsets = safeAreaInsets
        upright = (size, safeAreaInsets)
    }

    /// The screen of the phone whose code is running. Outside any phone, the call stops the program with an explanation.
    public class var main: UIScreen {
        guard let process = SimulatedDevices.currentProcess as? any SimulatedScreenUser else {
            SimulatedDevices.stopOutsideOfAnyPhone("UIScreen.main")
        }
        return process.screen
    }

    public var nativeScale: CGFloat { scale }
    /// The screen's bounds in pixels; those of portrait, even while the phone is rotated.
    public var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: upright.size.width * scale, height: upright.size.height * scale)
    }

    /// Rotates the screen: in landscape the notch is beside the app, and there is no status bar.
    func turn(to orientation: UIInterfaceOrientation) {
        self.orientation = orientation
        let (size, insets) = upright
        guard orientation.isLandscape else {
            (bounds.size, safeAreaInsets) = (size, insets)
            return
        }
        bounds.size = CGSize(width: size.height, height: size.width)
        let hasNotch = insets.bottom > 0
        safeAreaInsets =
            hasNotch
            ? UIEdgeInsets(left: insets.top, bottom: Self.lyingBottomInset, right: insets.top) : .zero
    }
}
