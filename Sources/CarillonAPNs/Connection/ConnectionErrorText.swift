import Foundation
import NIOCore
import NIOPosix

/// Explains in a sentence why a connection could not be made.
enum ConnectionErrorText {
    static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: connecting(error)
        case let error as IOError: system(error)
        case ChannelError.connectTimeout: "no answer in time"
        default: "\(error)"
        }
    }

    private static func connecting(_ error: NIOConnectionError) -> String {
        guard let first = error.connectionErrors.first else {
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "no answer in time" : "the name \(error.host) cannot be resolved"
        }
        return sentence(first.error)
    }

    private static func system(_ error: IOError) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "connection refused: nothing listens on that port"
        case ETIMEDOUT: "no answer in time"
        case EHOSTUNREACH, ENETUNREACH: "there is no route to that host (\(text(error.errnoCode)))"
        default: text(error.errnoCode)
        }
    }

    private static func text(_ number: CInt) -> String { String(cString: strerror(number)).lowercased() }
}
