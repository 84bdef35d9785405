import CarillonCore

/// The host and port of APNs, or of another server that speaks APNs' protocol, such as the simulator.
public struct APNsEndpoint: Sendable, Hashable {
    /// The host: a name or an address.
    ///
    /// The server's certificate must be valid for this host.
    public let host: String
    /// The TCP port, 1–65,535.
    public let port: Int

    /// Makes an endpoint.
    ///
    /// ``APNsClient/init(configuration:logger:)`` checks the values.
    ///
    /// - Parameters:
    ///   - host: a name or an address, 1–253 ASCII characters.
    ///   - port: 1–65,535.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// The server for apps from the App Store and TestFlight: `api.push.apple.com:443`.
    public static let production = APNsEndpoint(host: "api.push.apple.com", port: 443)
    /// The server for apps that run from Xcode: `api.sandbox.push.apple.com:443`.
    public static let sandbox = APNsEndpoint(host: "api.sandbox.push.apple.com", port: 443)

    /// The server that manages the production channels: `api-manage-broadcast.push.apple.com:2196`.
    ///
    /// Broadcasts themselves go to ``production``.
    public static let productionChannels = APNsEndpoint(host: "api-manage-broadcast.push.apple.com", port: 2196)
    /// The server that manages the sandbox channels: `api-manage-broadcast.sandbox.push.apple.com:2195`.
    ///
    /// Broadcasts themselves go to ``sandbox``.
    public static let sandboxChannels = APNsEndpoint(
        host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)

    /// This host with Apple's alternative port 2197, for networks whose firewall blocks 443.
    public var onPort2197: APNsEndpoint { APNsEndpoint(host: host, port: 2197) }
}

extension APNsEndpoint: CustomStringConvertible {
    /// `host:port`, with brackets around an IPv6 address.
    public var description: String { URLAuthority.text(host: host, port: port) }
}

extension APNsEndpoint {
    /// Throws an error if the port is out of range, or if the host cannot be sent in a header.
    ///
    /// Every request carries the host and the port in `:authority`. A name has at most 253 characters ([RFC 1035
    /// §2.3.4](https://www.rfc-editor.org/rfc/rfc1035#section-2.3.4)).
    func check() throws(APNsError) {
        guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidConfiguration(
                "The endpoint's host is no host name and no address.", advice: "Use a name such as api.push.apple.com.")
        }
        guard (1...65_535).contains(port) else {
            throw .invalidConfiguration("The endpoint's port is \(port).", advice: "Use 443 or 2197.")
        }
    }
}
