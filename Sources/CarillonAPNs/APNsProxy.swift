import CarillonCore
import Foundation

/// An HTTP proxy through which a client reaches APNs, with the method CONNECT
/// ([RFC 9110 §9.3.6](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.6)).
///
/// TLS runs between the client and APNs, so the proxy sees only the host name and encrypted bytes.
public struct APNsProxy: Sendable, Hashable {
    /// The proxy's name or address.
    public let host: String
    /// The proxy's TCP port, 1–65,535.
    public let port: Int
    /// `user:password`, sent in the header `proxy-authorization` (Basic, RFC 7617); `nil` for none.
    let credentials: String?

    /// Parses a proxy's address.
    ///
    /// - Parameter url: `http://host:port` or `http://user:password@host:port`; characters such as `@` in user and password are
    ///   percent-encoded. The default port is 80, the default scheme `http`.
    /// - Throws: ``APNsError`` with the code `invalidConfiguration` for an invalid address. The error does not contain the
    ///   password.
    public init(url: String) throws(APNsError) {
        let text = url.firstRange(of: "://") != nil ? url : "http://\(url)"
        guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.path.isEmpty || parts.path == "/", parts.query == nil
        else {
            throw .invalidConfiguration(
                "The proxy's address cannot be read.", advice: "Use http://host:port or http://user:password@host:port."
            )
        }
        guard parts.scheme?.lowercased() == "http" else {
            throw .invalidConfiguration(
                "The proxy's scheme is \(parts.scheme ?? "missing"): only HTTP proxies with CONNECT are supported.",
                advice: "Use http://host:port, the proxy's plain port.")
        }
        let port = parts.port ?? 80
        guard (1...65_535).contains(port) else {
            throw .invalidConfiguration("The proxy's port is \(port).", advice: "A port lies between 1 and 65535.")
        }
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.port = port
        credentials = parts.user.map { "\($0):\(parts.password ?? "")" }
    }

    /// Returns the proxy that the environment variables prescribe for an endpoint.
    ///
    /// The variables are those of curl: `https_proxy` or `HTTPS_PROXY` holds the proxy's address, and without them `all_proxy`
    /// or `ALL_PROXY`. `no_proxy` or `NO_PROXY` lists the hosts that need no proxy. An entry of this list is `*`, an address, a
    /// range of addresses such as `10.0.0.0/8`, or a host. The entry `host` includes its subdomains; `*.host` includes only the
    /// subdomains. An entry with a port applies to that port only.
    ///
    /// - Parameters:
    ///   - endpoint: the host and port of APNs.
    ///   - environment: the process's environment variables.
    /// - Returns: the proxy; `nil` if the endpoint needs no proxy.
    /// - Throws: ``APNsError`` with the code `invalidConfiguration` for an invalid address.
    public static func named(
        for endpoint: APNsEndpoint, in environment: [String: String]
    ) throws(APNsError) -> APNsProxy? {
        func value(_ name: String) -> String? {
            for name in [name, name.uppercased()] {
                if let value = environment[name], !value.isEmpty { return value }
            }
            return nil
        }
        guard let url = value("https_proxy") ?? value("all_proxy") else { return nil }
        let exceptions = (value("no_proxy") ?? "").split { $0 == "," || $0.isWhitespace }
        guard !exceptions.contains(where: { ProxyException($0).matches(endpoint) }) else { return nil }
        return try APNsProxy(url: url)
    }
}

extension APNsProxy: CustomStringConvertible, CustomDebugStringConvertible {
    /// The host and port as `host:port`, without the credentials.
    public var description: String { URLAuthority.text(host: host, port: port) }
    /// The host and port as `host:port`, without the credentials, because a debugger's output may end up in a log.
    public var debugDescription: String { description }
}
