import Foundation
import NIOCore

/// Why a server could not listen, in a sentence.
struct ListenFailure: Error, CustomStringConvertible {
    let description: String

    /// ProcessScheduler the system's error about an address into a sentence; leaves every other error as it is.
    static func explaining(_ error: any Error, host: String, port: Int) -> any Error {
        guard let error = error as? IOError else { return error }
        switch error.errnoCode {
        case EADDRINUSE:
            return ListenFailure(
                description: "port \(port) on \(host) is busy: choose another with --port, or end its owner")
        case EACCES:
            return ListenFailure(
                description: "port \(port) on \(host) is not allowed to this user: choose one above 1023")
        case EADDRNOTAVAIL:
            return ListenFailure(description: "\(host) is not an address of this machine: choose another with --host")
        default:
            return error
        }
    }
}
