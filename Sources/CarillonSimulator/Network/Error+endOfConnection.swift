import NIOCore
import NIOSSL

extension Error {
    /// Whether a sender's connection was only cut: reset by TCP, or ended without a word to TLS.
    ///
    /// This happens when the sender's process is killed, and says nothing about how the sender speaks HTTP/2.
    var isEndOfConnection: Bool { self is IOError || self as? NIOSSLError == .uncleanShutdown }
}
