/// Decides whether a server answers a request, or whether another site's page may have sent it.
///
/// A browser sends requests for any page to any address, also to this machine. A page cannot read the answers of another origin,
/// but a request alone may change something. And a site whose name is made to point at this machine (DNS rebinding) counts as the
/// server's own origin, and can even read. Therefore a request needs a `Host` that no other site can have, an `Origin` that equals
/// this host, and a JSON body, which a plain form cannot send.
///
/// Programs other than browsers send neither `Origin` nor `Sec-Fetch-Site`, so only `Host` and the type of the body concern them.
package struct LocalAccess: Sendable {
    /// The header fields of a request that decide.
    package struct Request: Sendable {
        /// The field `Host`: a name or an address, with or without a port; `nil` if it is absent.
        package var host: String?
        /// The field `Origin`; `nil` if it is absent.
        package var origin: String?
        /// The field `Sec-Fetch-Site`, which browsers set and pages cannot; `nil` if it is absent.
        package var fetchSite: String?
        /// The field `Content-Type`; `nil` if it is absent.
        package var contentType: String?
        /// Whether a browser has sent the request: nothing else sets `Origin` or `Sec-Fetch-Site`.
        package var isFromBrowser: Bool { origin != nil || fetchSite != nil }
        /// Whether a browser says that another site's page has sent the request.
        fileprivate var isFromOtherSite: Bool { fetchSite.map { $0 != "same-origin" && $0 != "none" } ?? false }

        /// Makes the fields of a request.
        package init(host: String?, origin: String?, fetchSite: String?, contentType: String?) {
            (self.host, self.origin, self.fetchSite, self.contentType) = (host, origin, fetchSite, contentType)
        }
    }

    /// The answer to a request that is not allowed: an HTTP status, a title, and a detail that says what is allowed.
    package struct Refusal: Error, Sendable, Hashable {
        package let status: Int
        package let title: String
        package let detail: String
    }

    /// The names and addresses that no other machine has.
    private static let loopbackNames: Set<String> = ["127.0.0.1", "localhost", "::1"]
    /// The domains below which nobody can register a name in the public DNS: those of
    /// [RFC 6761](https://www.rfc-editor.org/rfc/rfc6761), [RFC 6762](https://www.rfc-editor.org/rfc/rfc6762) and
    /// [RFC 8375](https://www.rfc-editor.org/rfc/rfc8375), and `.internal`, which ICANN keeps for private use.
    private static let privateDomains = [".home.arpa", ".internal", ".local", ".localhost", ".test"]

    private let names: Set<String>
    private let takesAddresses: Bool
    private let takesPrivateNames: Bool
    private let scheme: String
    private let advice: String

    /// Makes the rules of a server.
    ///
    /// - Parameters:
    ///   - names: the server's own names, in addition to ``loopbackNames``. The default is none.
    ///   - takesAddresses: whether every IP address is a host of the server. No name can be made to look like an address. The
    ///     default is `false`.
    ///   - takesPrivateNames: whether every name that nobody can register in the public DNS is a host of the server: a name of one
    ///     part, such as `carillon`, or a name below `.internal` or a similar domain. The default is `false`.
    ///   - scheme: the scheme of the server's own origin. The default is `http`.
    ///   - advice: a sentence for a request with another host.
    package init(
        names: some Sequence<String> = [String](), takesAddresses: Bool = false, takesPrivateNames: Bool = false,
        scheme: String = "http", advice: String
    ) {
        self.names = Self.loopbackNames.union(names.map { $0.lowercased() })
        (self.takesAddresses, self.takesPrivateNames) = (takesAddresses, takesPrivateNames)
        (self.scheme, self.advice) = (scheme, advice)
    }

    /// Returns the refusal of a request; `nil` if the request is allowed.
    ///
    /// - Parameters:
    ///   - request: the request's header fields.
    ///   - needsJSON: whether the request must have a JSON body.
    /// - Returns: the refusal; `nil` if the request is allowed.
    package func refusal(of request: Request, needsJSON: Bool) -> Refusal? {
        guard let host = request.host, isOwn(host) else { return foreignHost }
        if let origin = request.origin, origin != "\(scheme)://\(host)" { return Self.foreignOrigin(origin) }
        if request.isFromOtherSite { return Self.foreignSite }
        guard needsJSON else { return nil }
        guard let type = request.contentType?.lowercased(), Self.isJSON(type) else {
            return Refusal(
                status: 415, title: "JSON only", detail: "Send the body as Content-Type: application/json.")
        }
        return nil
    }

    /// Returns the refusal of a request to a public server whose `Host` another site may have; `nil` if no other site has it.
    ///
    /// A request without `Host` comes from no browser, and is allowed.
    package func refusalOfHost(in request: Request) -> Refusal? {
        guard let host = request.host, !host.isEmpty, !isOwn(host) else { return nil }
        return foreignHost
    }

    /// Returns the refusal of a request to a public server that another site's page has sent; `nil` for all others.
    ///
    /// - Parameters:
    ///   - request: the request's header fields.
    ///   - isProxied: whether a proxy has passed the request on. A proxy may change `Host`, so the method does not compare `Host`
    ///     with `Origin` then. The scheme is not compared at all, because a proxy may take HTTPS and pass HTTP on.
    /// - Returns: the refusal; `nil` if the request is allowed.
    package static func refusalOfOtherSite(_ request: Request, isProxied: Bool) -> Refusal? {
        // Browsers that set `Sec-Fetch-Site` have compared the origins themselves.
        guard request.fetchSite == nil else { return request.isFromOtherSite ? foreignSite : nil }
        guard !isProxied, let origin = request.origin, let host = request.host else { return nil }
        let hasOwnHost = origin.firstRange(of: "://").map { origin[$0.upperBound...].lowercased() == host.lowercased() }
        return hasOwnHost == true ? nil : foreignOrigin(origin)
    }

    private var foreignHost: Refusal { Refusal(status: 403, title: "Only for this machine", detail: advice) }

    private static func foreignOrigin(_ origin: String) -> Refusal {
        Refusal(status: 403, title: "Not from another site", detail: "\(origin.prefix(80)) is not this page.")
    }

    private static let foreignSite = Refusal(
        status: 403, title: "Not from another site", detail: "The request came from another site.")

    /// Returns whether a `Host`, with or without a port, is a name or an address of the server.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(in: host)
        return names.contains(name) || (takesAddresses && Self.isAddress(name))
            || (takesPrivateNames && Self.isPrivate(name))
    }

    private static func isPrivate(_ name: String) -> Bool {
        !name.isEmpty && (!name.contains(".") || privateDomains.contains { name.hasSuffix($0) })
    }

    /// Returns whether a name or an address, without a port, belongs to this machine only.
    package static func isLoopback(_ name: String) -> Bool { loopbackNames.contains(name.lowercased()) }

    /// Returns the host without its port, and an IPv6 address without its brackets.
    private static func name(in host: String) -> String {
        host.hasPrefix("[")
            ? String(host.prefix { $0 != "]" }.dropFirst()).lowercased()
            : String(host.prefix { $0 != ":" }).lowercased()
    }

    private static func isAddress(_ name: String) -> Bool {
        if name.contains(":") { return name.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." } }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.allSatisfy(\.isNumber) }
    }

    private static func isJSON(_ type: String) -> Bool {
        type.prefix { $0 != ";" && $0 != " " } == "application/json"
    }
}
