import Logging
import NIOCore

/// Stops accepting connections for a moment when the system refuses one, usually for lack of file descriptors, and logs a
/// warning.
///
/// Without this pause (``SimulatorLimits/acceptPause``), the event loop would try again without end. NIO's own
/// `AcceptBackoffHandler` pauses only once, and then tries again without a pause. This handler turns automatic reading off during
/// each pause.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is IOError else { return context.fireErrorCaught(error) }
        logger.warning(
            "cannot accept a connection, trying again in a second; if descriptors ran out, raise `ulimit -n`",
            metadata: ["error": "\(error)"])
        let channel = context.channel
        channel.setOption(ChannelOptions.autoRead, value: false).whenFailure { _ in }
        context.eventLoop.scheduleTask(in: SimulatorLimits.acceptPause) {
            channel.setOption(ChannelOptions.autoRead, value: true).whenFailure { _ in }
        }
    }
}
