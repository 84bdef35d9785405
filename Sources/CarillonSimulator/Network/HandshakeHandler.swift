import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the end of the TLS handshake: only then is it known whether the sender has a certificate, and with it how
/// many streams the first SETTINGS may allow.
///
/// Without ALPN the sender is taken at its word that it speaks HTTP/2 (pushy does): the preface decides.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let configure: (any Channel, NIOSSLCertificate?) throws -> Void

    /// - Parameter configure: adds what follows to the channel's pipeline.
    init(configure: @escaping (any Channel, NIOSSLCertificate?) throws -> Void) { self.configure = configure }

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
