import NIOCore

/// The other end of a connection to the service.
package enum Peer: Sendable, Hashable {
    /// A client or a proxy that has connected over the network.
    case address(IPAddress)
    /// A program of this machine that has connected to the service's Unix socket: a proxy, which has no address.
    case socket

    /// Reads the other end of a channel; `nil` if the channel has none, or has lost it.
    init?(_ channel: any Channel) {
        if case .unixDomainSocket = channel.localAddress {
            self = .socket
        } else if let address = channel.remoteAddress?.ipAddress.flatMap({ IPAddress($0) }) {
            self = .address(address)
        } else {
            return nil
        }
    }

    /// The address; `nil` for the Unix socket.
    var address: IPAddress? {
        switch self {
        case .address(let address): address
        case .socket: nil
        }
    }
}

extension TrustedProxies {
    /// Returns whether the service believes the addresses that a peer forwards.
    ///
    /// The permissions of the Unix socket's file say who may connect there, so a peer of the socket is trusted.
    func trusts(_ peer: Peer) -> Bool {
        switch peer {
        case .address(let address): contains(address)
        case .socket: true
        }
    }
}
