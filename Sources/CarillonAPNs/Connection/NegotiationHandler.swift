import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS

/// Waits for TLS, demands `h2`, and makes room for the handlers that speak it. Reports what goes wrong until then.
final class NegotiationHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let id: ConnectionID
    private let owner: ClientLoop
    private var trouble: String?

    init(id: ConnectionID, owner: ClientLoop) {
        self.id = id
        self.owner = owner
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let negotiated)? = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard negotiated == "h2" else {
            trouble = "the server does not speak HTTP/2: it did not choose h2 in ALPN"
            return context.close(promise: nil)
        }
        do {
            let operations = context.pipeline.syncOperations
            let joined = try operations.handler(type: JoinedFlushHandler.self)
            let handler = ConnectionHandler(id: id, owner: owner, joined: joined)
            try operations.addHandlers([Self.http2Handler(), handler], position: .last)
            operations.removeHandler(self, promise: nil)
            owner.negotiated(handler, connection: id)
        } catch {
            errorCaught(context: context, error: error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        trouble = trouble ?? Self.sentence(about: error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        owner.connectionClosed(id, why: trouble ?? "the connection was closed during the TLS handshake")
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

    private static func http2Handler() -> NIOHTTP2Handler {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 16 * 1024),
        ]
        // Headers are checked where they are made, and answers where they are read.
        connection.headerBlockValidation = .disabled
        connection.contentLengthValidation = .disabled
        // Late answers to streams that were reset at their deadlines are not an attack.
        connection.maximumRecentlyResetStreams = 1024
        var stream = NIOHTTP2Handler.StreamConfiguration()
        // Some servers send RST_STREAM after every answer; NIO's default closes at 200 in 30 s.
        stream.streamResetFrameRateLimit.maximumCount = 20_000
        stream.streamResetFrameRateLimit.windowLength = .seconds(1)
        stream.streamErrorRateLimit.maximumCount = 1000
        stream.streamErrorRateLimit.windowLength = .seconds(1)
        return NIOHTTP2Handler(
            mode: .client, connectionConfiguration: connection, streamConfiguration: stream)
    }
}
