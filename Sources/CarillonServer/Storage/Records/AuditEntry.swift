import CarillonCore
import Crypto
import Foundation

/// The person or program on whose behalf something was changed, as a text for people, such as `anna on web-1`.
package struct AuditActor: Sendable, Hashable {
    package let name: String

    /// - Parameter name: the text for people.
    package init(_ name: String) { self.name = name }

    /// Names a backend by its API key.
    init(_ key: APIKeyRecord) { name = "API key \(key.id) (\(key.name))" }
}

/// A change for the audit list: who changed what.
package struct AuditNote: Sendable, Hashable {
    /// The kind of a change; the raw value stands in the database and in the output of `carillon audit`.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        case keyCreated = "api-key-created"
        case keyRotated = "api-key-rotated"
        case keyRevoked = "api-key-revoked"
        case signInKeyCreated = "sign-in-key-created"
        case signInKeyRevoked = "sign-in-key-revoked"
        case appAdded = "app-added"
        case appChanged = "app-changed"
        case userErased = "user-erased"
        case devicesImported = "devices-imported"
        case messageRecalled = "message-recalled"
        case settingsChanged = "settings-changed"
    }

    package var action: Action
    package var actor: AuditActor
    /// The bundle id of the app that was changed; `nil` if the change concerns several apps or none.
    package var app: String?
    /// The id of the changed key or message, or the name of the host whose settings have changed; empty for other changes.
    package var subject: String
    /// Further facts for people, such as a key's scopes; empty for none.
    ///
    /// They contain no secret and no id of a user.
    package var details: String

    package init(_ action: Action, by actor: AuditActor, app: String? = nil, subject: String = "", details: String = "")
    {
        (self.action, self.actor, self.app, self.subject, self.details) = (action, actor, app, subject, details)
    }
}

/// An entry of the audit list, as stored.
///
/// Each entry has a digest over its own contents and the digest of the entry before it. So a changed, inserted or missing entry is
/// noticed at the next entry.
package struct AuditEntry: Sendable, Hashable {
    /// The place in the list; later entries have greater numbers.
    package var number: Int64
    package var moment: Timestamp
    /// The kind of the change (``AuditNote/Action``), also if a newer version of the program has added the kind.
    package var action: String
    package var actor: String
    package var app: String?
    package var subject: String
    package var details: String
    /// The stored digest, of 32 bytes.
    package var digest: Data

    /// Computes the digest that the entry must have.
    ///
    /// It is the SHA-256 of the digest before, followed by a JSON array of the entry's time (milliseconds since 1970), action,
    /// actor, app (or `null`), subject and details.
    ///
    /// - Parameter last: the digest of the entry before; empty for the first entry.
    /// - Returns: the digest, of 32 bytes.
    /// - Throws: the errors of encoding JSON.
    func digest(after last: Data) throws -> Data {
        let fields: [JSONValue] = [
            .int(moment.millisecondsSince1970), .string(action), .string(actor), app.map { .string($0) } ?? .null,
            .string(subject), .string(details),
        ]
        return Data(try SHA256.hash(data: last + JSONValue.array(fields).encoded()))
    }
}

/// The result of a check of the audit list.
package struct AuditCheck: Sendable, Hashable {
    /// The number of entries.
    package var count: Int
    /// The last entry; `nil` for an empty list.
    package var last: AuditEntry?
    /// The number of the first entry whose digest is wrong; `nil` if all are right.
    package var broken: Int64?
    /// Whether an entry has the digest that the caller has kept; true if the caller has given none.
    package var hasKept: Bool
}
