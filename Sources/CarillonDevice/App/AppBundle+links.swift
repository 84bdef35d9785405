import Foundation

extension AppBundle {
    /// Whether a web page is one of the app's universal links, by ``associatedDomains``.
    ///
    /// Differs from iOS: which paths belong to the app is in a file on the web site, which is not asked; here all do.
    func hasUniversalLink(_ url: URL) -> Bool {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? ""), let host = url.host()?.lowercased() else {
            return false
        }
        return associatedDomains.contains { Self.matches($0.lowercased(), host) }
    }

    /// - Parameters:
    ///   - entry: `applinks:example.com`, `applinks:*.example.com`, with or without `?mode=developer`.
    ///   - host: in lower case.
    /// - Returns: whether the entry stands for the host.
    private static func matches(_ entry: String, _ host: String) -> Bool {
        let service = "applinks:"
        guard entry.hasPrefix(service) else { return false }
        let domain = entry.dropFirst(service.count).prefix { $0 != "?" && $0 != ":" }
        return domain.hasPrefix("*.") ? host.hasSuffix(domain.dropFirst()) : host == domain
    }
}
