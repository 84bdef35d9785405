import Hummingbird
import Logging
import NIOCore

/// The context of one request.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The other end of the connection; `nil` without a connection.
    package let peer: Peer?
    /// The NIO channel of the connection on which the request came.
    let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        peer = Peer(source.channel)
    }
}
