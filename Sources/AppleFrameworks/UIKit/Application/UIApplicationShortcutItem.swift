import Foundation

/// An entry of the menu that a long press on the app's icon opens.
/// [UIApplicationShortcutItem](https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem)
public class UIApplicationShortcutItem: NSObject, @unchecked Sendable {  // `@unchecked`: immutable
    public let type: String
    public let localizedTitle: String

    public init(type: String, localizedTitle: String) {
        self.type = type
        self.localizedTitle = localizedTitle
    }
}
