import CarillonCore
import Crypto
import Foundation

/// The audience of a message, as the backend wrote it.
package enum Audience: Sendable, Hashable {
    case users([String])
    /// The devices with these installation ids.
    case devices([String])
    case everyone
    /// The confirmed devices that meet a condition; a device is confirmed once APNs has accepted a push to its token.
    case matching(AudienceExpression)
    /// The devices that got the broadcast with this number and did not see it (``UnseenDevices``); no request names this audience.
    case unseen(Int64)
}

extension Audience {
    /// Whether the message has no named recipients.
    ///
    /// A message without named recipients stays on a device when the user of the device signs out.
    package var isBroadcast: Bool {
        switch self {
        case .users, .devices: false
        case .everyone, .matching, .unseen: true
        }
    }

    /// The audience's condition in two parts: a device must have at least one of `tags`, and must also meet `rest`.
    ///
    /// The value is `nil` if the audience has no condition, or if its condition requires no tag. See
    /// ``AudienceExpression/narrowing``.
    var narrowing: (tags: [String], rest: AudienceExpression?)? {
        guard case .matching(let expression) = self else { return nil }
        return expression.narrowing
    }

    /// The SHA-256 of the audience, independent of the order and repetition of names.
    ///
    /// By this hash, the service checks that a message and its replacement have equal audiences.
    var fingerprint: Data {
        let (kind, names): (String, [String]) =
            switch self {
            case .users(let users): ("users", users)
            case .devices(let devices): ("devices", devices)
            case .everyone: ("everyone", [])
            case .matching(let expression): ("where", [expression.description])
            case .unseen(let message): ("unseen", ["\(message)"])
            }
        var hash = SHA256()
        hash.update(data: Data(kind.utf8) + [0])
        // Names are compared as bytes. Swift treats composed and decomposed é as equal, but they name two users.
        let distinct = Set(names.map { Data($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
        for name in distinct { hash.update(data: name + [0]) }
        return Data(hash.finalize())
    }
}
