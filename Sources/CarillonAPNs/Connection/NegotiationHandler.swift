import CarillonCore
import NIOCore
import NIOSSL
import NIOTLS
import SwiftASN1
import X509

/// Waits for TLS, verifies the server's name, requires `h2`, and then adds the HTTP/2 handlers.
///
/// If a step fails, the handler reports the reason. The client sends neither a provider token nor a push before all steps have
/// succeeded.
final class NegotiationHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let id: ConnectionID
    /// A text that names the server's address and, if there is one, the proxy.
    private let server: String
    private let peer: PeerName
    private let owner: ClientLoop
    private var problem: String?
    private var distrust: Distrust?

    init(id: ConnectionID, server: String, peer: PeerName, owner: ClientLoop) {
        self.id = id
        self.server = server
        self.peer = peer
        self.owner = owner
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard let certificate = Self.certificate(of: context) else {
            let (why, sentence) = Distrust.reason(for: nil, at: owner.clock.now)
            return refuse(why, sentence, context)
        }
        guard PeerName.hasReadableNames(certificate) else {
            return refuse(.unreadable, Distrust.unreadableNames, context)
        }
        guard peer.matches(certificate) else {
            let names = PeerName.text(of: certificate)
            let shown = names.isEmpty ? "" : " (\(names))"
            return refuse(.hostName, "the server's certificate is for another host name\(shown)", context)
        }
        guard negotiated == "h2" else {
            problem =
                "the server does not speak HTTP/2: it did not choose h2 in ALPN; is there a proxy between that inspects TLS?"
            return context.close(promise: nil)
        }
        do {
            let operations = context.pipeline.syncOperations
            let handler = APNsConnectionHandler(id: id, owner: owner)
            try operations.addHandler(handler, position: .last)
            operations.removeHandler(self, promise: nil)
            owner.negotiated(handler, server: server, connection: id)
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let text = String(describing: error)
        guard text.contains("CERTIFICATE_VERIFY_FAILED") else {
            let refusesALPN = text.contains("NO_APPLICATION_PROTOCOL")
            let reason =
                refusesALPN
                ? "the server does not speak HTTP/2: it refused h2 in ALPN" : TLSAlert.sentence(of: text)
            problem = problem ?? reason
            return context.close(promise: nil)
        }
        let (why, sentence) = Distrust.reason(for: Self.certificate(of: context), at: owner.clock.now)
        refuse(why, sentence, context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        let problem = problem ?? "the connection was closed during the TLS handshake"
        owner.connectionClosed(id, why: "\(server): \(problem)", distrust: distrust)
        context.fireChannelInactive()
    }

    private func refuse(_ distrust: Distrust, _ sentence: String, _ context: ChannelHandlerContext) {
        self.distrust = self.distrust ?? distrust
        problem = problem ?? sentence
        context.close(promise: nil)
    }

    /// Returns the server's certificate; `nil` if there is none that can be parsed.
    private static func certificate(of context: ChannelHandlerContext) -> Certificate? {
        guard let shown = try? context.pipeline.syncOperations.nioSSL_peerCertificate(),
            let bytes = try? shown.toDERBytes()
        else { return nil }
        return try? Certificate(derEncoded: bytes)
    }
}
