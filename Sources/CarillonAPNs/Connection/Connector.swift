import CarillonCore
import NIOCore
import NIOPosix
import NIOSSL

/// Makes connections: name look-up, TCP, TLS with the host name verified, ALPN, HTTP/2.
struct Connector: Sendable {
    let endpoint: APNsEndpoint
    /// The endpoint as `:authority` names it.
    let authority: String
    /// Carries the client certificate, if that is the credential.
    var tls: NIOSSLContext
    let timeout: Duration
    let eventLoop: any EventLoop

    init(
        endpoint: APNsEndpoint, tls: NIOSSLContext, timeout: Duration, eventLoop: any EventLoop
    ) {
        self.endpoint = endpoint
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
            .connect(host: endpoint.host, port: endpoint.port)
    }

    private func prepare(_ channel: any Channel, id: ConnectionID, owner: ClientLoop) throws {
        // Host names are for SNI and verification; an address is verified against the peer's own.
        let isAddress = (try? SocketAddress(ipAddress: endpoint.host, port: endpoint.port)) != nil
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : endpoint.host))
        try operations.addHandler(NegotiationHandler(id: id, owner: owner))
    }
}
