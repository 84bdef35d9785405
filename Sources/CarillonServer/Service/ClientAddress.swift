import CarillonCore
import Foundation
import HTTPTypes
import Hummingbird

/// Determines the address that a request comes from.
enum ClientAddress {
    private static let header = HTTPField.Name("X-Forwarded-For")
    private static let standardHeader = HTTPField.Name("Forwarded")

    /// Returns the address of the client that has sent a request.
    ///
    /// If the request came through trusted proxies, the client's address is the last one in `X-Forwarded-For` that is not a
    /// trusted proxy's, or in `Forwarded` if the request has no `X-Forwarded-For`. A client can forge the addresses before that
    /// one. If a proxy names no address, as in `unknown`, the proxy's own address counts.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - peer: the other end of the connection.
    ///   - proxies: the trusted proxies.
    /// - Returns: the address; `nil` if it is unknown, as where the proxy has connected to the Unix socket and names none.
    static func of(_ request: Request, peer: Peer?, proxies: TrustedProxies) -> IPAddress? {
        guard let peer, proxies.trusts(peer) else { return peer?.address }
        var client = peer.address
        for text in forwarded(by: request).reversed() where !text.isEmpty {
            guard let address = IPAddress(text) else { break }
            client = address
            guard proxies.contains(address) else { break }
        }
        return client
    }

    /// Returns whether a request names an address in `X-Forwarded-For` or `Forwarded`, as a proxy does.
    static func isForwarded(_ request: Request) -> Bool {
        [header, standardHeader].contains { $0.map { request.headers[$0] != nil } ?? false }
    }

    /// Returns the last addresses that a request's headers name, in their order.
    private static func forwarded(by request: Request) -> [String] {
        let count = ServiceLimits.forwardedAddresses
        if let header, request.headers[header] != nil {
            return request.headers[values: header].joined(separator: ",").split(separator: ",").suffix(count)
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        guard let standardHeader else { return [] }
        return ForwardedHeader.clients(in: request.headers[values: standardHeader].joined(separator: ",")).suffix(count)
    }
}
