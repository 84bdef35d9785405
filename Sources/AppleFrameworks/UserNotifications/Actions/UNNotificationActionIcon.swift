import Foundation

/// The picture on an action's button.
/// [UNNotificationActionIcon](https://developer.apple.com/documentation/usernotifications/unnotificationactionicon)
@available(iOS 15, *)
open class UNNotificationActionIcon: NSObject, NSCopying, NSSecureCoding {
    // `@unchecked`: immutable.
    let name: String
    let isSystemImage: Bool

    public init(templateImageName: String) {
        name = templateImageName
        isSystemImage = false
    }

    public init(systemImageName: String) {
        name = systemImageName
        isSystemImage = true
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? UNNotificationActionIcon).map { $0.name == name && $0.isSystemImage == isSystemImage } ?? false
    }

    open override var hash: Int { name.hashValue }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard let name = coder.decodeText("name") else { return nil }
        self.name = name
        isSystemImage = coder.decodeBool(forKey: "isSystemImage")
    }

    open func encode(with coder: NSCoder) {
        coder.encodeText(name, "name")
        coder.encode(isSystemImage, forKey: "isSystemImage")
    }
}
