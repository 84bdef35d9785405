import NIOCore
import NIOSSL
import NIOTLS

/// Waits for TLS, demands `h2`, and makes room for the handlers that speak it.
///
/// Reports what goes wrong until then.
final class NegotiationHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let id: ConnectionID
    private let owner: ClientLoop
    private var problem: String?

    init(id: ConnectionID, owner: ClientLoop) {
        self.id = id
        self.owner = owner
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard negotiated == "h2" else {
            problem = "the server does not speak HTTP/2: it did not choose h2 in ALPN"
            return context.close(promise: nil)
        }
        do {
            let operations = context.pipeline.syncOperations
            let handler = APNsConnectionHandler(id: id, owner: owner)
            try operations.addHandler(handler, position: .last)
            operations.removeHandler(self, promise: nil)
            owner.negotiated(handler, connection: id)
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        problem = problem ?? Self.sentence(about: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        owner.connectionClosed(id, why: problem ?? "the connection was closed during the TLS handshake")
        context.fireChannelInactive()
    }

    /// The two mistakes that everybody makes once, in words; anything else as the library puts it.
    private static func sentence(about error: any Error) -> String {
        let text = String(describing: error)
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
            return "the server's certificate is for another host name"
        }
        if text.contains("CERTIFICATE_VERIFY_FAILED") {
            return "the server's certificate is not signed by a trusted authority (trustRoots)"
        }
        return text
    }
}
