import Foundation
@_spi(Simulation) import UserNotifications

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone = 0
    case pad = 1
    case tv = 2
    case carPlay = 3
    @available(iOS 14, *)
    case mac = 5
}

/// The phone, from an app's point of view. [UIDevice](https://developer.apple.com/documentation/uikit/uidevice)
@MainActor @preconcurrency public class UIDevice: NSObject {
    public static let current = UIDevice()

    public let model = "iPhone"
    public let localizedModel = "iPhone"
    /// The name "iPhone" on every phone: since iOS 16, only an app with an entitlement sees the name that the owner has
    /// chosen.
    public let name = "iPhone"
    public let systemName = "iOS"
    /// The iOS version whose API this module imitates.
    public let systemVersion = "18.0"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// An identifier of the phone; `nil` from switching the phone on until its first unlock.
    ///
    /// Differs from iOS: the identifier is equal for all apps of all vendors, and stays when the apps are deleted.
    public var identifierForVendor: UUID? { SimulatedDevices.current?.vendorIdentifier }

    /// The orientation of the phone, as last reported to the running app.
    public var orientation: UIDeviceOrientation { application?.surroundings.device ?? .unknown }

    public var isGeneratingDeviceOrientationNotifications: Bool { (application?.orientationListeners ?? 0) > 0 }
    /// Starts the posting of orientation changes.
    ///
    /// Each call needs a matching call of ``endGeneratingDeviceOrientationNotifications()``.
    public func beginGeneratingDeviceOrientationNotifications() { application?.orientationListeners += 1 }
    public func endGeneratingDeviceOrientationNotifications() {
        if let application { application.orientationListeners = max(0, application.orientationListeners - 1) }
    }

    public nonisolated static let orientationDidChangeNotification = Notification.Name(
        "UIDeviceOrientationDidChangeNotification")

    private var application: UIApplication? {
        (SimulatedDevices.currentProcess as? any SimulatedAppProcess)?.application
    }
}
