import CarillonAPNs
import CarillonCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// A connection to a webhook's endpoint, for one HTTP/1.1 request.
///
/// It follows no redirect, uses no proxy, and reads at most ``WebhookPace/answerBytes`` of an answer.
struct WebhookConnection {
    let target: WebhookTarget
    /// The addresses to connect to, which were checked; the first that takes a connection gets the request.
    let addresses: [SocketAddress]
    /// The context, which has the trusted certificates; by default, those of the system's authorities.
    var tls = Self.publicTLS

    /// All connections have one context, because reading the system's authorities takes time.
    static let publicTLS = Result {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = ["http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }

    /// Posts a request.
    ///
    /// - Parameters:
    ///   - headers: the headers, without those that HTTP needs.
    ///   - body: the body.
    /// - Returns: the answer.
    /// - Throws: the errors of the connection, and `CancellationError` at once when the task is cancelled.
    func post(_ headers: [(String, String)], _ body: Data) async throws -> WebhookPace.Answer {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answer = loop.makePromise(of: WebhookPace.Answer.self)
        let (head, bytes) = (head(headers, body.count), ByteBuffer(bytes: body))
        let tls = target.isSecure ? try self.tls.get() : nil
        let name = IPAddress.parsed(target.host) == nil ? target.host : nil
        // NIO tries the addresses in a race (RFC 8305), so that one that does not answer delays no other.
        let connecting = ClientBootstrap(group: loop)
            .resolver(KnownAddresses(addresses: addresses, eventLoop: loop))
            .connectTimeout(TimeAmount(ServiceLimits.webhookTime))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name)) }
                    try pipeline.addHTTPClientHandlers()
                    try pipeline.addHandler(WebhookAnswerReader(head: head, body: bytes, answer: answer))
                }
            }
            .connect(host: target.host, port: target.port)
        connecting.whenFailure { answer.fail($0) }
        defer { connecting.whenSuccess { $0.close(promise: nil) } }
        return try await withTaskCancellationHandler {
            try await answer.futureResult.get()
        } onCancel: {
            answer.fail(CancellationError())
        }
    }

    private func head(_ given: [(String, String)], _ length: Int) -> HTTPRequestHead {
        var headers = HTTPHeaders(given)
        headers.add(name: "host", value: target.authority)
        headers.add(name: "content-length", value: "\(length)")
        headers.add(name: "connection", value: "close")
        return HTTPRequestHead(version: .http1_1, method: .POST, uri: target.path, headers: headers)
    }
}

/// Writes a request as soon as it is connected, and reads the beginning of the answer.
private final class WebhookAnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let head: HTTPRequestHead
    private let body: ByteBuffer
    private let answer: EventLoopPromise<WebhookPace.Answer>
    private var status: HTTPResponseHead?
    private var text = Data()

    init(head: HTTPRequestHead, body: ByteBuffer, answer: EventLoopPromise<WebhookPace.Answer>) {
        (self.head, self.body, self.answer) = (head, body, answer)
    }

    func channelActive(context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            status = head
            if (200..<300).contains(head.status.code) { answered() }
        case .body(let bytes):
            text += Data(bytes.readableBytesView.prefix(WebhookPace.answerBytes - text.count))
            if text.count == WebhookPace.answerBytes { answered() }
        case .end: answered()
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        answered()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if status != nil { answered() } else { answer.fail(error) }
        context.close(promise: nil)
    }

    /// Passes on as much of the answer as came; only the first call counts.
    private func answered() {
        guard let status else { return answer.fail(ChannelError.eof) }
        answer.succeed(
            .status(
                Int(status.status.code), retryAfter: status.headers.first(name: "retry-after").flatMap(RetryAfter.init),
                text: String(decoding: text, as: UTF8.self)))
    }
}
