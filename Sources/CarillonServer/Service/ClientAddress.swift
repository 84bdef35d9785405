import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// Determines the address that a request comes from.
enum ClientAddress {
    private static let header = HTTPField.Name("X-Forwarded-For")

    /// Returns the address of the client that has sent a request.
    ///
    /// If the request came through trusted proxies, the client's address is the last one in `X-Forwarded-For` that is not a
    /// trusted proxy's. A client can forge the addresses before that one. If a proxy names no address, as in `unknown`, the
    /// proxy's own address counts.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - peer: the address at the other end of the connection.
    ///   - proxies: the trusted proxies.
    /// - Returns: the address; `nil` if it is unknown.
    static func of(_ request: Request, peer: IPAddress?, proxies: TrustedProxies) -> IPAddress? {
        guard var client = peer, proxies.contains(client), let header else { return peer }
        let forwarded = request.headers[values: header].joined(separator: ",").split(separator: ",")
            .suffix(ServiceLimits.forwardedAddresses)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        for text in forwarded.reversed() where !text.isEmpty {
            guard let address = IPAddress(text) else { break }
            client = address
            guard proxies.contains(address) else { break }
        }
        return client
    }

    /// Returns whether a request names an address in `X-Forwarded-For`, as a proxy does.
    static func isForwarded(_ request: Request) -> Bool { header.map { request.headers[$0] != nil } ?? false }
}
