import CarillonAPNs
import CarillonCore
import Foundation
import NIOCore

/// The address of a webhook, after the check that it does not lead into the host's own networks.
///
/// A backend names the address, so a request to it must not reach what only the host can reach. The name is resolved right
/// before the connection, and the connection goes to the addresses that were checked.
struct WebhookTarget: Sendable, Hashable {
    /// The host's name or address, an IPv6 address without brackets.
    let host: String
    /// The port, which may be the scheme's.
    let port: Int
    let isSecure: Bool
    /// The host and port as the header `Host` has them.
    let authority: String
    /// The path and the query.
    let path: String

    /// A reason why an address is refused, in words for a backend.
    struct Refusal: Error, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Checks an address without resolving it.
    ///
    /// - Parameters:
    ///   - url: the address.
    ///   - reachesPrivateNetworks: whether the address may be in the host's own networks, and without TLS.
    /// - Throws: ``Refusal``.
    init(_ url: String, reachesPrivateNetworks: Bool) throws(Refusal) {
        guard url.utf8.count <= ServiceLimits.webhookURLBytes, url.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Refusal(
                description:
                    "must be an address of at most \(ServiceLimits.webhookURLBytes) ASCII characters without spaces")
        }
        guard let parsed = URL(string: url), let scheme = parsed.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = parsed.host(percentEncoded: true), !host.isEmpty,
            host.utf8.allSatisfy(Self.isHostByte), (1...65535).contains(parsed.port ?? 1)
        else { throw Refusal(description: "must be an address such as https://backend.example.com/carillon") }
        guard parsed.user == nil, parsed.password == nil, parsed.fragment == nil, !url.contains("@"), !url.contains("#")
        else { throw Refusal(description: "must have no user, no password and no fragment") }
        guard scheme == "https" || reachesPrivateNetworks else {
            throw Refusal(
                description: "must begin with https://; a service with --webhooks-to-private-networks takes http:// too"
            )
        }
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        isSecure = scheme == "https"
        port = parsed.port ?? (isSecure ? 443 : 80)
        authority = (self.host.contains(":") ? "[\(self.host)]" : self.host) + (parsed.port.map { ":\($0)" } ?? "")
        let path = parsed.path(percentEncoded: true)
        self.path = (path.isEmpty ? "/" : path) + (parsed.query(percentEncoded: true).map { "?\($0)" } ?? "")
        // An address that is written out is refused when it is given, not at the first event.
        guard let bytes = IPAddress.parsed(self.host), !reachesPrivateNetworks else { return }
        guard Self.isPublic(IPAddress(bytes)) else { throw Self.isPrivate(host) }
    }

    /// Returns whether a byte may be in a host's name or address; no byte of a header's end is, however it was encoded.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._:[]".utf8.contains(byte)
        }
    }

    private static func isPrivate(_ host: String) -> Refusal {
        Refusal(
            description:
                "\(host) is in a network of this host's own; a service with --webhooks-to-private-networks may reach it"
        )
    }

    /// Resolves the host's name.
    ///
    /// - Parameters:
    ///   - reachesPrivateNetworks: whether an address may be in the host's own networks.
    ///   - loop: the event loop that waits for the resolver.
    /// - Returns: the addresses to connect to, at least one: those of the name that may be reached.
    /// - Throws: ``Refusal`` if no address may be reached, or the name has none, and `CancellationError`.
    func addresses(reachesPrivateNetworks: Bool, on loop: any EventLoop) async throws -> [SocketAddress] {
        let answer = loop.makePromise(of: [SocketAddress].self)
        HostLookUp.shared.addresses(of: host, port: port, on: loop).cascade(to: answer)
        let found: [SocketAddress]
        do {
            // A resolver that does not answer must not hold up the end of a request.
            found = try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(CancellationError())
            }
        } catch let failure as HostLookUp.Failure {
            throw Refusal(description: failure.description)
        }
        let open = found.filter { address in
            address.ipAddress.flatMap(IPAddress.parsed).map { reachesPrivateNetworks || Self.isPublic(IPAddress($0)) }
                ?? false
        }
        guard !open.isEmpty else { throw Self.isPrivate(host) }
        return open
    }

    /// Returns whether an address is one of the public internet.
    ///
    /// Of IPv6, only global unicast addresses are (RFC 4291 §2.4), without those that lead to IPv4 addresses or are reserved.
    static func isPublic(_ address: IPAddress) -> Bool {
        guard address.bytes.count == 4 else {
            return globalUnicast.contains { $0.contains(address) } && !special.contains { $0.contains(address) }
        }
        return !special.contains { $0.contains(address) }
    }

    private static let globalUnicast = ranges(["2000::/3"])

    /// The networks of the registries of special purpose addresses that are not globally reachable
    /// (RFC 6890, [IPv4](https://www.iana.org/assignments/iana-ipv4-special-registry),
    /// [IPv6](https://www.iana.org/assignments/iana-ipv6-special-registry)), multicast, and the
    /// [host of a virtual machine](https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16) of Azure.
    private static let special = ranges([
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "168.63.129.16/32", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    ])

    private static func ranges(_ texts: [String]) -> [AddressRange] {
        texts.map { text in
            guard let range = try? AddressRange(text) else { preconditionFailure("\(text) is a network") }
            return range
        }
    }
}
