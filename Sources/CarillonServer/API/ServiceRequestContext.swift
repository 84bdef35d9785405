import Hummingbird
import Logging
import NIOCore

/// The context of one request.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection, without its port; `nil` without a connection.
    package let peer: IPAddress?
    /// The NIO channel of the connection on which the request came.
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = source.channel.remoteAddress?.ipAddress.flatMap { IPAddress($0) }
    }
}
