import CarillonCore

/// The step at which an attempt to connect waits for another machine.
enum ConnectStep: Sendable, Hashable {
    /// The look-up of a host's addresses.
    case lookUp(host: String)
    /// The TCP connection, with a text that names the host and its addresses.
    case opening(String)
    /// The proxy's answer to CONNECT.
    case tunnel(APNsProxy)
    /// The TLS handshake, with a text that names the server's address.
    case handshake(String)
    /// The server's first SETTINGS, with a text that names the server's address.
    case settings(String)

    /// Returns a sentence, without a full stop, that says which answer did not come in time.
    func sentence(after wait: Duration) -> String {
        let time = "within \(Self.text(wait))"
        return switch self {
        case .lookUp(let host): "the look-up of the name \(host) had no answer \(time): look at the name server"
        case .opening(let target): "\(target) did not accept a connection \(time)"
        case .tunnel(let proxy): "the proxy \(proxy) did not answer CONNECT \(time)"
        case .handshake(let server): "\(server) accepted the connection and did not answer in the TLS handshake \(time)"
        case .settings(let server): "\(server) did not begin HTTP/2 \(time) of the TLS handshake"
        }
    }

    /// Returns a duration in whole seconds, or in milliseconds below one second.
    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.wholeMilliseconds
        return milliseconds < 1000 ? "\(max(1, milliseconds)) ms" : "\(milliseconds / 1000) s"
    }
}
