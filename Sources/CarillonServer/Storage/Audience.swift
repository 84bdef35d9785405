import CarillonCore
import Crypto
import Foundation

/// Whom a message is for, as the sender said it.
package enum Audience: Sendable, Hashable {
    case users([String])
    /// Installations' ids.
    case devices([String])
    case everyone
}

extension Audience {
    /// SHA-256 of the audience, the same in whatever order and however often somebody is named: tells whether a message
    /// that replaces another is for the same people.
    var fingerprint: Data {
        let (kind, names): (String, [String]) =
            switch self {
            case .users(let users): ("users", users)
            case .devices(let devices): ("devices", devices)
            case .everyone: ("everyone", [])
            }
        var hash = SHA256()
        for text in [kind] + Set(names).sorted() { hash.update(data: Data(text.utf8) + [0]) }
        return Data(hash.finalize())
    }
}
