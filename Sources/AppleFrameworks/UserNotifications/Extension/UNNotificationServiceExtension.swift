import Foundation

/// An app extension in its own process, which may change a push before it is shown.
/// [UNNotificationServiceExtension](https://developer.apple.com/documentation/usernotifications/unnotificationserviceextension)
open class UNNotificationServiceExtension: NSObject {
    public override init() { super.init() }

    /// Called for a push with `mutable-content: 1` and text. The first call of `contentHandler` counts.
    ///
    /// The default implementation shows the content unchanged.
    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping @Sendable (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// Called after about 30 seconds: the last chance to call the content handler.
    open func serviceExtensionTimeWillExpire() {}
}
