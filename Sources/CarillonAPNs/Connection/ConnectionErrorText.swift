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

    /// Describes why no address of a host could be reached: one sentence for each kind of failure, with the affected addresses.
    private static func connecting(_ error: NIOConnectionError) -> String {
        guard !error.connectionErrors.isEmpty else {
            return error.dnsAError == nil && error.dnsAAAAError == nil
                ? "no answer in time" : "the name \(error.host) cannot be resolved"
        }
        var kinds: [(sentence: String, addresses: [SocketAddress])] = []
        for failure in error.connectionErrors {
            let sentence = sentence(failure.error)
            if let index = kinds.firstIndex(where: { $0.sentence == sentence }) {
                kinds[index].addresses.append(failure.target)
            } else {
                kinds.append((sentence, [failure.target]))
            }
        }
        return kinds.map { kind in
            // The message already names the only address in place of the host.
            let isKnown = error.connectionErrors.count == 1 && kind.addresses[0].ipAddress == error.host
            return isKnown
                ? kind.sentence : "\(kind.sentence) (\(kind.addresses.map(\.text).joined(separator: ", ")))"
        }.joined(separator: "; ")
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
