/// Decides whether a server on a developer's or operator's machine answers a request, or whether another site's page has sent it.
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

    private let names: Set<String>
    private let takesAddresses: Bool
    private let scheme: String
    private let advice: String

    /// Makes the rules of a server.
    ///
    /// - Parameters:
    ///   - names: the server's own names, in addition to ``loopbackNames``. The default is none.
    ///   - takesAddresses: whether every IP address is a host of the server. No name can be made to look like an address. The
    ///     default is `false`.
    ///   - scheme: the scheme of the server's own origin. The default is `http`.
    ///   - advice: a sentence for a request with another host.
    package init(
        names: some Sequence<String> = [String](), takesAddresses: Bool = false, scheme: String = "http", advice: String
    ) {
        self.names = Self.loopbackNames.union(names.map { $0.lowercased() })
        (self.takesAddresses, self.scheme, self.advice) = (takesAddresses, scheme, advice)
    }

    /// Returns the refusal of a request; `nil` if the request is allowed.
    ///
    /// - Parameters:
    ///   - request: the request's header fields.
    ///   - needsJSON: whether the request must have a JSON body.
    /// - Returns: the refusal; `nil` if the request is allowed.
    package func refusal(of request: Request, needsJSON: Bool) -> Refusal? {
        guard let host = request.host, isOwn(host) else {
            return Refusal(status: 403, title: "Only for this machine", detail: advice)
        }
        if let origin = request.origin, origin != "\(scheme)://\(host)" {
            return Refusal(
                status: 403, title: "Not from another site", detail: "\(origin.prefix(80)) is not this page.")
        }
        if let site = request.fetchSite, site != "same-origin", site != "none" {
            return Refusal(
                status: 403, title: "Not from another site", detail: "The request came from another site.")
        }
        guard needsJSON else { return nil }
        guard let type = request.contentType?.lowercased(), Self.isJSON(type) else {
            return Refusal(
                status: 415, title: "JSON only", detail: "Send the body as Content-Type: application/json.")
        }
        return nil
    }

    /// Returns whether a `Host`, with or without a port, is a name or an address of the server.
    private func isOwn(_ host: String) -> Bool {
        let name = Self.name(in: host)
        return names.contains(name) || (takesAddresses && Self.isAddress(name))
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
