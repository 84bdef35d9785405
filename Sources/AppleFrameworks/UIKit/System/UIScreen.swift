import Foundation
@_spi(Simulation) import UserNotifications

/// The phone's screen.
/// [UIScreen](https://developer.apple.com/documentation/uikit/uiscreen)
@MainActor public class UIScreen: NSObject {
    /// Points.
    public let bounds: CGRect
    public let scale: CGFloat
    @_spi(Simulation) public let safeAreaInsets: UIEdgeInsets

    @_spi(Simulation) public init(size: CGSize, scale: CGFloat, safeAreaInsets: UIEdgeInsets) {
        bounds = CGRect(origin: .zero, size: size)
        self.scale = scale
        self.safeAreaInsets = safeAreaInsets
    }

    /// The screen of the phone whose code is running. Outside of any phone it stops with an explanation.
    public class var main: UIScreen {
        guard let process = SimulatedDevices.currentProcess as? any SimulatedAppProcess else {
            preconditionFailure(SimulatedDevices.outsideOfAnyPhone("UIScreen.main"))
        }
        return process.screen
    }

    public var nativeScale: CGFloat { scale }
    public var nativeBounds: CGRect {
        CGRect(x: 0, y: 0, width: bounds.width * scale, height: bounds.height * scale)
    }
}
