/// Where APNs is. Apple's hosts, or any other that speaks APNs over TLS and HTTP/2, such as the simulator.
public struct APNsEndpoint: Sendable, Hashable {
    /// A name or an address; the server's certificate must be valid for it.
    public let host: String
    public let port: Int

    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// `api.push.apple.com:443`: apps from the App Store and TestFlight.
    public static let production = APNsEndpoint(host: "api.push.apple.com", port: 443)
    /// `api.sandbox.push.apple.com:443`: apps run from Xcode.
    public static let sandbox = APNsEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// Apple's other port, for networks whose firewall keeps 443 to itself: the same host at 2197.
    public var onPort2197: APNsEndpoint { APNsEndpoint(host: host, port: 2197) }
}

extension APNsEndpoint: CustomStringConvertible {
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
