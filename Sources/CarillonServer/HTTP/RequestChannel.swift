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
            let line = LineWatch()
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
