import NIOCore
import NIOSSL

extension Error {
    /// Whether a sender's connection was only cut: reset by TCP, or ended without closing TLS.
    ///
    /// This happens when the sender's process is killed. It is not a mistake in the sender's HTTP/2.
    var isEndOfConnection: Bool { self is IOError || self as? NIOSSLError == .uncleanShutdown }
}
