import CarillonCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import TestSupport
import Testing

@testable import CarillonServer

/// Every way in which a database server's certificate can be right or wrong.
@Suite("The certificate of a PostgreSQL server")
struct PostgreSQLCertificateTests {
    /// The cases in which libpq decides otherwise than curl, each with libpq's rule.
    ///
    /// Its comparison of names is its own, and cannot be replaced: it is in the library that speaks the protocol. No public
    /// authority issues the certificates that only libpq accepts.
    private static let differing = [
        "a name for an address": "a host is compared with names even if it is an address",
        "a wildcard for an address": "a host is compared with names even if it is an address",
        "a wildcard below a top-level domain": "a wildcard stands for one label, whatever follows",
        "a host with a trailing dot": "names are compared with their dots",
        "a name with a trailing dot": "names are compared with their dots",
        "a common name beside an address": "the common name counts unless the certificate has DNS names",
    ]

    @Test(
        "verify-full accepts the certificates that curl accepts, but for libpq's own rules",
        arguments: ServerCertificateCase.all)
    func verdict(_ wanted: ServerCertificateCase) async throws {
        let authority = try TestAuthority()
        let folder = try TemporaryFolder()
        let roots = folder.url.appending(path: "ca.pem")
        try Data(authority.pem.utf8).write(to: roots)
        let server = try await TLSOnlyDatabase.start(try wanted.issue(authority))
        let host = wanted.host.replacingOccurrences(of: ":", with: "%3A")
        let address = """
            postgres://carillon@\(wanted.host.contains(":") ? "" : host):\(server.port)/carillon?hostaddr=127.0.0.1\
            \(wanted.host.contains(":") ? "&host=\(host)" : "")&sslmode=verify-full&gssencmode=disable&sslrootcert=\(roots.path)
            """
        let error = #expect(throws: PostgreSQLError.self) { _ = try PostgreSQLHandle(url: address) }
        let words = error?.description ?? ""
        #expect(server.isTrusted == (wanted.isAccepted != (Self.differing[wanted.description] != nil)), "\(words)")
        if !server.isTrusted { #expect(PostgreSQLServer.refusal(words) != nil, "\(words)") }
        try await server.stop()
    }
}

/// A server that speaks PostgreSQL's protocol until a client has accepted or refused its certificate.
private final class TLSOnlyDatabase: Sendable {
    let port: Int
    private let channel: any Channel
    private let group: MultiThreadedEventLoopGroup
    private let trust: Trust

    /// Whether a client has sent something through TLS.
    var isTrusted: Bool { trust.isGiven.withLock { $0 } }

    private init(channel: any Channel, group: MultiThreadedEventLoopGroup, trust: Trust) {
        (self.channel, self.group, self.trust) = (channel, group, trust)
        port = channel.localAddress?.port ?? 0
    }

    static func start(_ identity: TestAuthority.Issued) async throws -> TLSOnlyDatabase {
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
                    .map { .certificate($0) },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(identity.keyPEM.utf8), format: .pem))))
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let trust = Trust()
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Conversation(context: context, trust: trust))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return TLSOnlyDatabase(channel: channel, group: group, trust: trust)
    }

    func stop() async throws {
        try await channel.close()
        try await group.shutdownGracefully()
    }

    private final class Trust: Sendable {
        let isGiven = Mutex(false)
    }

    /// Answers a client's request for TLS, and hangs up after its next message.
    private final class Conversation: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let context: NIOSSLContext
        private let trust: Trust
        private var isSecure = false

        init(context: NIOSSLContext, trust: Trust) { (self.context, self.trust) = (context, trust) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isSecure {
                trust.isGiven.withLock { $0 = true }
                return context.close(promise: nil)
            }
            isSecure = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "S")), promise: nil)
            do {
                let tls = NIOSSLServerHandler(context: self.context)
                try context.pipeline.syncOperations.addHandler(tls, position: .first)
            } catch {
                context.close(promise: nil)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
