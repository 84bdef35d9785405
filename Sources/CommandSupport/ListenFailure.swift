import Foundation
import NIOCore

/// An error whose description explains why a server could not listen.
package struct ListenFailure: Error, CustomStringConvertible {
    package let description: String

    /// Returns an error with an explanation for the system's error that it cannot listen on an address.
    ///
    /// Any other error is returned unchanged.
    ///
    /// - Parameters:
    ///   - error: the error.
    ///   - places: the address and port of each listener, with the name of the option for the port. The explanation names all
    ///     listeners, because the system does not tell which one it refused.
    /// - Returns: the error with its explanation.
    package static func explaining(_ error: any Error, _ places: [(host: String, port: Int, option: String)])
        -> any Error
    {
        let wanted = places.map { "port \($0.port) on \($0.host)" }.joined(separator: ", or ")
        let options = places.map(\.option).joined(separator: " or ")
        let hosts = places.map(\.host).joined(separator: " or ")
        let hostOptions = places.map { $0.option.replacing("port", with: "host") }.joined(separator: " or ")
        guard let error = error as? IOError else { return error }
        switch error.errnoCode {
        case EADDRINUSE:
            return ListenFailure(
                description:
                    "\(wanted) is busy: choose another with \(options), or stop the program that uses it")
        case EACCES:
            return ListenFailure(
                description: "this user may not listen on \(wanted): choose a port above 1023")
        case EADDRNOTAVAIL:
            return ListenFailure(
                description: "\(hosts) is not an address of this machine: choose another with \(hostOptions)")
        default:
            return error
        }
    }
}
