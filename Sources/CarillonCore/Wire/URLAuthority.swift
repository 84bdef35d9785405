/// Writes the authority of a URL: its host and port ([RFC 3986 §3.2](https://www.rfc-editor.org/rfc/rfc3986#section-3.2)).
package enum URLAuthority {
    /// Returns a host and a port as a URL has them.
    ///
    /// An address of IPv6 stands in brackets, and the `%` before its zone is encoded
    /// ([RFC 6874](https://www.rfc-editor.org/rfc/rfc6874)).
    ///
    /// - Parameters:
    ///   - host: a name, or an address without brackets.
    ///   - port: the port.
    /// - Returns: for instance `localhost:8080` or `[::1]:8080`.
    package static func text(host: String, port: Int) -> String {
        host.contains(":") ? "[\(host.replacing("%", with: "%25"))]:\(port)" : "\(host):\(port)"
    }
}
