import Foundation
import NIOCore
import NIOPosix

/// Why a connection could not be made, in words for a person instead of the library's own.
enum ConnectionTrouble {
    static func sentence(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: connecting(error)
        case let error as IOError: system(error)
        case ChannelError.connectTimeout: "nobody answered in time"
        default: "\(error)"
        }
    }

    private static func connecting(_ error: NIOConnectionError) -> String {
        guard let first = error.connectionErrors.first else {
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "nobody answered in time" : "the name \(error.host) cannot be resolved"
        }
        return sentence(first.error)
    }

    private static func system(_ error: IOError) -> String {
        switch error.errnoCode {
        case ECONNREFUSED: "nobody listens there (connection refused)"
        case ETIMEDOUT: "nobody answered in time"
        case EHOSTUNREACH, ENETUNREACH: "there is no way to that host (\(text(error.errnoCode)))"
        default: text(error.errnoCode)
        }
    }

    private static func text(_ number: CInt) -> String { String(cString: strerror(number)).lowercased() }
}
