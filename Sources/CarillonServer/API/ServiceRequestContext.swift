import Hummingbird
import Logging
import NIOCore

/// What the service knows of one request beside the request itself.
package struct ServiceRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The address at the other end of the connection, without its port; `nil` where there is no connection.
    package let peer: String?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peer = source.channel.remoteAddress?.ipAddress
    }
}
