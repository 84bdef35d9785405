import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of the TLS handshake: only then is it known whether the sender has a certificate, and with it how
/// many streams the first SETTINGS may allow.
///
/// One that takes too long ends the connection.
///
/// Without ALPN the sender is taken at its word that it speaks HTTP/2 (pushy does): the preface decides.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let timeout: TimeAmount
    private let configure: (any Channel, NIOSSLCertificate?) throws -> Void
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - timeout: how long the handshake may take, in real time.
    ///   - configure: adds what follows to the channel's pipeline.
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
        // A handshake that failed: the TLS alert has said why.
        context.close(promise: nil)
    }
}
