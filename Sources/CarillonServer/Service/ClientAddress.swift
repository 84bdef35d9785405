import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// The address a request comes from.
enum ClientAddress {
    /// The connection's address, or, if that is a proxy's that the operator has named, the last one in `X-Forwarded-For`
    /// that is no such proxy's.
    ///
    /// What stands further to the left, anybody can have written.
    static func of(_ request: Request, peer: String?, proxies: Set<String>) -> String? {
        guard let peer, proxies.contains(peer) else { return peer }
        guard let name = HTTPField.Name("X-Forwarded-For") else { return peer }
        let forwarded = request.headers[values: name].joined(separator: ",").split(separator: ",")
            .suffix(ServiceLimits.forwardedAddresses)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return forwarded.last { !$0.isEmpty && !proxies.contains($0) } ?? peer
    }

    /// What one subscriber has: an address of IPv4, or of IPv6 the network of 64 bits that it is in.
    ///
    /// - Parameter address: as text; what is no address stays as it is.
    /// - Returns: the text to count by.
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
