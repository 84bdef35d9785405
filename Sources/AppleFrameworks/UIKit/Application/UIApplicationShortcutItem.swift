import Foundation

/// A quick action: an entry of the menu that a long press on the app's icon opens.
/// [UIApplicationShortcutItem](https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem)
///
/// Differs from iOS: icons are not supported.
@available(iOS 9, *)
public class UIApplicationShortcutItem: NSObject, NSCopying {
    // `@unchecked`: only the mutable subclass can be changed; as on iOS, one thread at a time may use it.
    public internal(set) var type: String
    public internal(set) var localizedTitle: String
    public internal(set) var localizedSubtitle: String?
    public internal(set) var userInfo: [String: any NSSecureCoding]?
    /// The identifier of the content that the entry opens; the system uses it to choose a scene.
    public internal(set) var targetContentIdentifier: (any NSObjectProtocol)?

    public init(type: String, localizedTitle: String) {
        self.type = type
        self.localizedTitle = localizedTitle
    }

    public init(
        type: String, localizedTitle: String, localizedSubtitle: String?,
        userInfo: [String: any NSSecureCoding]? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.userInfo = userInfo
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A quick action whose properties an app can change.
/// [UIMutableApplicationShortcutItem](https://developer.apple.com/documentation/uikit/uimutableapplicationshortcutitem)
public class UIMutableApplicationShortcutItem: UIApplicationShortcutItem {
    // `@unchecked` is inherited.
    public override var type: String {
        get { super.type }
        set { super.type = newValue }
    }
    public override var localizedTitle: String {
        get { super.localizedTitle }
        set { super.localizedTitle = newValue }
    }
    public override var localizedSubtitle: String? {
        get { super.localizedSubtitle }
        set { super.localizedSubtitle = newValue }
    }
    public override var userInfo: [String: any NSSecureCoding]? {
        get { super.userInfo }
        set { super.userInfo = newValue }
    }
    public override var targetContentIdentifier: (any NSObjectProtocol)? {
        get { super.targetContentIdentifier }
        set { super.targetContentIdentifier = newValue }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = UIApplicationShortcutItem(
            type: type, localizedTitle: localizedTitle, localizedSubtitle: localizedSubtitle, userInfo: userInfo)
        copy.targetContentIdentifier = targetContentIdentifier
        return copy
    }
}
