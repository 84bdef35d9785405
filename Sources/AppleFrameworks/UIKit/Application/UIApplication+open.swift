import Foundation

extension UIApplication {
    /// Returns whether an app can open a URL.
    ///
    /// Returns `true` for http, https, mailto, tel, sms and the app's own settings, and for the app's own schemes. Returns
    /// `true` for another installed app's scheme only if this app's Info.plist lists the scheme
    /// (`LSApplicationQueriesSchemes`).
    public func canOpenURL(_ url: URL) -> Bool { backend.canOpen(url) }

    /// Opens a URL outside the app.
    ///
    /// The URL opens in the installed app that declares the URL's scheme, or the URL's domain for universal links. Any other
    /// URL opens in Safari: the phone records the URL, but loads no page. A universal link of the calling app itself goes to
    /// Safari, as on iOS.
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
