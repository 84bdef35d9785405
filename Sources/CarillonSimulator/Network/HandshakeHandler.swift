import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of the TLS handshake, and then configures the connection for a sender with or without a certificate.
///
/// The certificate decides how many streams the first SETTINGS allow. A handshake that takes too long ends the connection. A
/// sender that offers no ALPN, such as the Java library pushy, is assumed to speak HTTP/2 until its first bytes prove otherwise.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let configure: (any Channel, NIOSSLCertificate?) throws -> Void
    private var timer: Scheduled<Void>?

    /// Makes a handler for a new connection.
    ///
    /// - Parameters:
    ///   - timeout: the time limit of the handshake, in real time.
    ///   - configure: adds the further handlers to the pipeline of the connection's NIO channel.
    init(timeout: TimeAmount, configure: @escaping (any Channel, NIOSSLCertificate?) throws -> Void) {
        self.timeout = timeout
        self.configure = configure
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            do {
                let pipeline = context.pipeline.syncOperations
                try configure(context.channel, try pipeline.nioSSL_peerCertificate())
                pipeline.removeHandler(context: context, promise: nil)
            } catch {
                context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The handshake failed. The TLS alert has told the sender why.
        context.close(promise: nil)
    }
}
