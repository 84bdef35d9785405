import Foundation

extension UIScene {
    /// The options with which a scene opens a URL.
    /// [UIScene.OpenExternalURLOptions](https://developer.apple.com/documentation/uikit/uiscene/openexternalurloptions)
    @MainActor @preconcurrency open class OpenExternalURLOptions: NSObject {
        /// Whether to open the URL only if it is another app's universal link. The default is `false`.
        open var universalLinksOnly = false
    }

    /// Opens a URL outside the app, like `UIApplication.open`.
    @preconcurrency public func open(
        _ url: URL, options: OpenExternalURLOptions?,
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        UIApplication.shared.open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false], completionHandler: completion)
    }

    @discardableResult
    public func open(_ url: URL, options: OpenExternalURLOptions?) async -> Bool {
        await UIApplication.shared.open(
            url, options: [.universalLinksOnly: options?.universalLinksOnly ?? false])
    }
}
