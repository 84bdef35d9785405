import NIOCore
import NIOSSL

extension Error {
    /// Whether the error only means that the connection was cut: reset by TCP, or ended without closing TLS.
    ///
    /// This happens when the sender's process is killed. The sender has then broken no rule of HTTP/2.
    var isEndOfConnection: Bool { self is IOError || self as? NIOSSLError == .uncleanShutdown }
}
