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
    private var distrust: Distrust?

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
        distrust = Self.distrust(in: error)
        problem = problem ?? distrust?.sentence ?? String(describing: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        owner.connectionClosed(
            id, why: problem ?? "the connection was closed during the TLS handshake", distrust: distrust)
        context.fireChannelInactive()
    }

    /// The two mistakes that everybody makes once.
    private static func distrust(in error: any Error) -> Distrust? {
        if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname { return .hostName }
        return String(describing: error).contains("CERTIFICATE_VERIFY_FAILED") ? .authority : nil
    }
}
