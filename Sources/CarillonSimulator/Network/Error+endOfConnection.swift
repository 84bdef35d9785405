import NIOCore
import NIOSSL

extension Error {
    /// Whether a sender's connection was only cut: reset by TCP, or ended without a word to TLS.
    ///
    /// So it is when its process is killed. Neither says anything of how it speaks HTTP/2.
    var isEndOfConnection: Bool { self is IOError || self as? NIOSSLError == .uncleanShutdown }
}
