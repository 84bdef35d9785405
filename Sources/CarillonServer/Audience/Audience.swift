import CarillonCore
import Crypto
import Foundation

/// Whom a message is for, as the sender said it.
package enum Audience: Sendable, Hashable {
    case users([String])
    /// Installations' ids.
    case devices([String])
    case everyone
    /// Those of everyone on whom a condition holds.
    case matching(AudienceExpression)
}

extension Audience {
    /// Whether it names nobody: such a message is not a person's, and stays when somebody signs out.
    package var isBroadcast: Bool {
        switch self {
        case .users, .devices: false
        case .everyone, .matching: true
        }
    }

    /// ``AudienceExpression/narrowing`` of its condition.
    var narrowing: (tags: [String], rest: AudienceExpression?)? {
        guard case .matching(let expression) = self else { return nil }
        return expression.narrowing
    }

    /// SHA-256 of the audience, the same in whatever order and however often somebody is named: tells whether a message
    /// that replaces another is for the same people.
    var fingerprint: Data {
        let (kind, names): (String, [String]) =
            switch self {
            case .users(let users): ("users", users)
            case .devices(let devices): ("devices", devices)
            case .everyone: ("everyone", [])
            case .matching(let expression): ("where", [expression.description])
            }
        var hash = SHA256()
        hash.update(data: Data(kind.utf8) + [0])
        // As bytes: to Swift's strings an é and an e with an accent are one, and two users are not.
        let distinct = Set(names.map { Data($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
        for name in distinct { hash.update(data: name + [0]) }
        return Data(hash.finalize())
    }
}
