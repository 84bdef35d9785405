import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// Determines the address that a request comes from.
enum ClientAddress {
    /// Returns the address of the client that has sent a request.
    ///
    /// If the request came through trusted proxies, the client's address is the last one in `X-Forwarded-For` that is not a
    /// trusted proxy's. A client can forge the addresses before that one.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - peer: the address at the other end of the connection.
    ///   - proxies: the addresses of the trusted proxies.
    /// - Returns: the address; `nil` if it is unknown.
    static func of(_ request: Request, peer: String?, proxies: Set<String>) -> String? {
        guard let peer, proxies.contains(peer) else { return peer }
        guard let name = HTTPField.Name("X-Forwarded-For") else { return peer }
        let forwarded = request.headers[values: name].joined(separator: ",").split(separator: ",")
            .suffix(ServiceLimits.forwardedAddresses)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return forwarded.last { !$0.isEmpty && !proxies.contains($0) } ?? peer
    }

    /// Returns the part of an address that belongs to one subscriber.
    ///
    /// This is the whole IPv4 address, or the 64-bit network of an IPv6 address.
    ///
    /// - Parameter address: the address as text; any other text is returned unchanged.
    /// - Returns: the text by which the service counts requests.
    static func network(_ address: String) -> String {
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: parsed) { Array($0) }
        if bytes.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff] {
            return bytes.suffix(4).map(String.init).joined(separator: ".")
        }
        return Data(bytes.prefix(8)).hexadecimal + "/64"
    }
}
