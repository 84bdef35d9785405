import CarillonCore
import Foundation
import NIOCore

extension SimulatorError {
    /// Returns an error that explains why a server cannot listen on an address.
    ///
    /// - Parameters:
    ///   - what: the server that wanted to listen, such as `the admin API`.
    ///   - host: the address.
    ///   - port: the port, 0–65535.
    ///   - error: the system's error.
    /// - Returns: an error whose description says what is wrong and what to do.
    static func cannotListen(_ what: String, host: String, port: Int, _ error: any Error) -> SimulatorError {
        let place = URLAuthority.text(host: host, port: port)
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            SimulatorError(
                .cannotListen,
                "port \(port) on \(host) is busy, so \(what) cannot listen on it: choose another port, or 0")
        case EACCES:
            SimulatorError(
                .cannotListen, "port \(port) on \(host) is not allowed to this user: choose one above 1023, or 0")
        case EADDRNOTAVAIL:
            SimulatorError(
                .cannotListen, "\(host) is not an address of this machine: choose another, such as 127.0.0.1")
        case let number?:
            SimulatorError(
                .cannotListen, "\(what) cannot listen on \(place): \(String(cString: strerror(number)))")
        case nil:
            SimulatorError(
                .cannotListen, "\(what) cannot listen on \(place): is \(host) an address or a host name?")
        }
    }
}
