import CarillonCore
import Crypto
import Foundation

/// The person or program that has made a change, as a text for people, such as `anna on web-1`.
package struct AuditActor: Sendable, Hashable {
    package let name: String

    /// Makes an actor: a person or a program that makes changes.
    ///
    /// - Parameter name: the actor's name in the audit list.
    package init(_ name: String) { self.name = name }

    /// Makes the actor for a backend; the actor's name contains the id and the name of the backend's API key.
    init(_ key: APIKeyRecord) { name = "API key \(key.id) (\(key.name))" }
}

/// The description of a change, from which an entry of the audit list is made: who changed what.
package struct AuditNote: Sendable, Hashable {
    /// The kind of a change; the database and the output of `carillon audit` contain the raw value.
    package enum Action: String, Sendable, Hashable, CaseIterable {
        case keyCreated = "api-key-created"
        case keyRotated = "api-key-rotated"
        case keyRevoked = "api-key-revoked"
        case signInKeyCreated = "sign-in-key-created"
        case signInKeyRevoked = "sign-in-key-revoked"
        case appAdded = "app-added"
        case appChanged = "app-changed"
        case appRemoved = "app-removed"
        case userErased = "user-erased"
        case devicesImported = "devices-imported"
        case messageRecalled = "message-recalled"
        case liveActivityEnded = "live-activity-ended"
        case settingsChanged = "settings-changed"
        /// A webhook was added or changed; the details are its address.
        case webhookAdded = "webhook-added"
        case webhookChanged = "webhook-changed"
        /// A webhook got another secret.
        case webhookRotated = "webhook-rotated"
        case webhookDeleted = "webhook-deleted"
        case templateChanged = "template-changed"
        case templateDeleted = "template-deleted"
    }

    package var action: Action
    package var actor: AuditActor
    /// The bundle id of the app that the change concerns; `nil` if it concerns several apps or none.
    package var app: String?
    /// The id of the changed key, message or Live Activity, or the host and the roles of the service whose settings have changed.
    ///
    /// The text is empty for all other changes.
    package var subject: String
    /// Further facts for people, such as a key's scopes; empty for none.
    ///
    /// The text must contain no secrets and no ids of users.
    package var details: String

    package init(_ action: Action, by actor: AuditActor, app: String? = nil, subject: String = "", details: String = "")
    {
        (self.action, self.actor, self.app, self.subject, self.details) = (action, actor, app, subject, details)
    }
}

/// A stored entry of the audit list, which says who changed what.
///
/// Each entry has a digest of its own contents and of the previous entry's digest. So after an entry is changed, inserted or
/// removed, its digest or the next entry's digest is wrong (``AuditTable/check(_:)``).
package struct AuditEntry: Sendable, Hashable {
    /// The entry's number in the database; later entries have greater numbers.
    package var number: Int64
    package var moment: Timestamp
    /// The raw value of the change's kind (``AuditNote/Action``).
    ///
    /// A newer version of the program may have stored a kind that this version does not know.
    package var action: String
    package var actor: String
    package var app: String?
    package var subject: String
    package var details: String
    /// The stored digest, of 32 bytes.
    package var digest: Data

    /// Computes the digest that the entry must have.
    ///
    /// The digest is the SHA-256 of two parts, one after the other: the previous entry's digest, and a JSON array. The array
    /// contains this entry's time in milliseconds since 1970, action, actor, app (or `null`), subject and details.
    ///
    /// - Parameter last: the digest of the previous entry; empty for the first entry.
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

/// The result of comparing the digests in the audit list with the contents of its entries.
package struct AuditCheck: Sendable, Hashable {
    /// The number of entries.
    package var count: Int
    /// The last entry; `nil` for an empty list.
    package var last: AuditEntry?
    /// The number (``AuditEntry/number``) of the first entry whose digest is wrong; `nil` if all digests are right.
    package var broken: Int64?
    /// Whether the audit list has an entry with the digest that the caller passed to the check; true if the caller passed none.
    package var hasKept: Bool
}
