import CarillonCore

/// What a push asks of the app, in whichever dialect it was written; made by ``PushInterpreter``.
package struct PushInstructions: Sendable, Hashable {
    /// The vocabulary of a push's keys.
    package enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// The key `carillon`, version 1 or later.
        case carillon
        /// `crt`, `dlt` and `title`, at the top level or inside the JSON text under `u`.
        case pushwoosh
        /// `messageId` and `internalData`.
        case infobip
        /// None of these: another SDK's, or the app's own.
        case foreign
    }

    package var dialect: Dialect
    /// The message that the push is about; `nil` when it only carries removals, or is foreign.
    package var message: PushMessage?
    /// The notifications that must leave the list.
    package var removals: [PushRemoval]
    /// Whether more removals wait than fitted into the push, so that the service must be asked.
    package var needsSync: Bool
    /// The number that belongs on the app's icon; `nil` changes nothing.
    package var badge: Int?
    /// The service's clock when it composed the push.
    package var composedAt: Timestamp?
    /// What proves, when it is returned, that this installation holds its device token.
    package var claim: TokenClaim?
    /// What could not be understood, in a sentence for the developer; the rest is carried out all the same.
    package var problem: String?

    package init(
        dialect: Dialect, message: PushMessage? = nil, removals: [PushRemoval] = [], needsSync: Bool = false,
        badge: Int? = nil, composedAt: Timestamp? = nil, claim: TokenClaim? = nil, problem: String? = nil
    ) {
        self.dialect = dialect
        self.message = message
        self.removals = removals
        self.needsSync = needsSync
        self.badge = badge
        self.composedAt = composedAt
        self.claim = claim
        self.problem = problem
    }
}
