import Foundation
import NIOCore

/// An error whose description explains why a server could not listen.
package struct ListenFailure: Error, CustomStringConvertible {
    package let description: String

    /// Converts the system's error about an address into an error with an explanation.
    ///
    /// Any other error is returned unchanged.
    package static func explaining(_ error: any Error, host: String, port: Int) -> any Error {
        guard let error = error as? IOError else { return error }
        switch error.errnoCode {
        case EADDRINUSE:
            return ListenFailure(
                description:
                    "port \(port) on \(host) is busy: choose another with --port, or stop the program that uses it")
        case EACCES:
            return ListenFailure(
                description: "this user may not listen on port \(port) of \(host): choose a port above 1023")
        case EADDRNOTAVAIL:
            return ListenFailure(description: "\(host) is not an address of this machine: choose another with --host")
        default:
            return error
        }
    }
}
