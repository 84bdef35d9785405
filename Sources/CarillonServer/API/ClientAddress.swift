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
}
