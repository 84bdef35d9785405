import Foundation

#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone = 0
    case pad = 1
}

/// The phone, as an app sees it.
/// [UIDevice](https://developer.apple.com/documentation/uikit/uidevice)
@MainActor public class UIDevice: NSObject {
    public static let current = UIDevice()

    public let model = "iPhone"
    public let systemName = "iOS"
    /// The version whose API this imitates.
    public let systemVersion = "18.0"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// The same for all apps of a vendor on iOS; `nil` here, as on a phone that was not unlocked yet.
    public let identifierForVendor: UUID? = nil
}
