import Foundation

extension UIApplication {
    /// Returns whether an app can open a URL.
    ///
    /// It is true for http, https, mailto, tel, sms and the app's own settings, for the app's own schemes, and for the
    /// schemes of other apps on this phone that its Info.plist lists (`LSApplicationQueriesSchemes`).
    public func canOpenURL(_ url: URL) -> Bool { backend.canOpen(url) }

    /// Opens a URL outside the app.
    ///
    /// It opens in the installed app with its scheme, or with its domain as a universal link; otherwise in Safari, which the
    /// phone only records. A universal link of the app itself goes to Safari, as on iOS.
    @available(iOS 10, *)
    @preconcurrency public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        backend.open(url, universalLinksOnly: Self.wantsUniversalLink(options)) { completion?($0) }
    }

    @available(iOS 10, *)
    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { continuation in
            backend.open(url, universalLinksOnly: Self.wantsUniversalLink(options)) {
                continuation.resume(returning: $0)
            }
        }
    }

    private static func wantsUniversalLink(_ options: [OpenExternalURLOptionsKey: Any]) -> Bool {
        options[.universalLinksOnly] as? Bool ?? false
    }
}

extension UIApplication {
    /// Records that a browser sheet inside the app shows `url`.
    @_spi(Simulation) public func noteSafariView(_ url: URL) { backend.noticed(.openedInSafariView(url)) }
}
