import CarillonCore
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL

/// An HTTP connection of the service: Hummingbird's connection, with a ``RequestGate`` behind the parser, and with TLS if the
/// listener has a certificate.
struct RequestChannel: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    let base: HTTP1Channel
    let clock: any CarillonClock
    let connections: OpenConnections
    let times: ConnectionTimes
    /// The listener's certificate; `nil` for connections without TLS.
    let certificate: ListenerCertificate?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { [clock, times, connections, certificate] value in
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let line = LineStart()
            let gate = RequestGate(line: line, clock: clock, times: times, connections: connections)
            try pipeline.addHandler(gate, position: .after(parser))
            try pipeline.addHandler(line, position: .first)
            if let certificate {
                try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context), position: .first)
            }
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// A channel handler that remembers the first bytes of the line with which the newest input from the socket begins.
///
/// If the HTTP parser fails on this input, ``RequestGate`` sees from these bytes whether the request line or a header is at
/// fault.
final class LineStart: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// The first bytes of the line with which the newest input from the socket begins.
    ///
    /// If that line began in earlier input, its first bytes come from there.
    private var bytes: [UInt8] = []
    /// The first bytes of the line that the newest input from the socket left incomplete.
    private var unfinished: [UInt8] = []

    /// Whether the line in ``bytes`` is a request line with a method, well formed or not.
    ///
    /// Otherwise the line is a header, or no text at all.
    var isRequestLine: Bool {
        guard let end = bytes.firstIndex(of: UInt8(ascii: " ")), end > 0 else { return false }
        return bytes[..<end].allSatisfy {
            (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) && $0 != UInt8(ascii: ":")
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let view = unwrapInboundIn(data).readableBytesView
        let newline = UInt8(ascii: "\n")
        let rest = view.prefix { $0 != newline }.prefix(ServiceLimits.methodBytes - unfinished.count)
        bytes = unfinished + rest
        if let end = view.lastIndex(of: newline) {
            unfinished = Array(view[view.index(after: end)...].prefix(ServiceLimits.methodBytes))
        } else {
            unfinished = bytes
        }
        context.fireChannelRead(data)
    }
}
