import CarillonCore
import NIOCore
import NIOPosix
import NIOSSL

/// Makes connections: name look-up, TCP, TLS with the server's certificate verified, ALPN, HTTP/2.
struct Connector: Sendable {
    let endpoint: APNsEndpoint
    /// The endpoint as `:authority` names it.
    let authority: String
    /// Carries the client certificate, if that is the credential.
    var tls: NIOSSLContext
    let timeout: Duration
    let eventLoop: any EventLoop
    private let peer: PeerName
    /// The address to connect to; `nil` for those to which the endpoint's host resolves.
    private let address: String?

    init(
        endpoint: APNsEndpoint, address: String?, tls: NIOSSLContext, timeout: Duration, eventLoop: any EventLoop
    ) {
        self.endpoint = endpoint
        self.address = address
        peer = PeerName(host: endpoint.host)
        authority = endpoint.description
        self.tls = tls
        self.timeout = timeout
        self.eventLoop = eventLoop
    }

    /// The host is resolved anew for every connection: Apple's answers change, and one of many addresses may be down.
    func connect(_ id: ConnectionID, owner: ClientLoop) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: eventLoop)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connectTimeout(.nanoseconds(timeout.wholeMilliseconds * 1_000_000))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel, id: id, owner: owner)
                }
            }
            .connect(host: address ?? endpoint.host, port: endpoint.port)
    }

    private func prepare(_ channel: any Channel, id: ConnectionID, owner: ClientLoop) throws {
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: peer.serverName))
        try operations.addHandler(NegotiationHandler(id: id, peer: peer, owner: owner))
    }
}
