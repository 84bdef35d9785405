import Foundation

extension UIApplication {
    /// Differs from iOS: true for http, https, mailto, tel, sms and the app's own settings; no other app is installed
    /// that could take another scheme.
    public func canOpenURL(_ url: URL) -> Bool { backend.canOpen(url) }

    /// Opens a URL outside of the app; the phone notes it.
    @preconcurrency public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        backend.open(url) { completion?($0) }
    }

    @discardableResult
    public func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        await withCheckedContinuation { continuation in
            backend.open(url) { continuation.resume(returning: $0) }
        }
    }
}

extension UIApplication {
    /// A browser sheet inside the app shows `url`.
    @_spi(Simulation) public func noteSafariView(_ url: URL) { backend.noticed(.openedInSafariView(url)) }
}
