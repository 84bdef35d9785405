import CarillonCore

/// The instructions of a push to the app, in whichever dialect it was written; made by ``PushInterpreter``.
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
    /// A nonce that proves, when it is returned, that this installation holds its device token.
    package var claim: TokenClaim?
    /// The part that could not be understood, in a sentence for the developer; the rest is carried out.
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

/// A message as it arrived in one push.
package struct PushMessage: Sendable, Hashable {
    /// The part that shows the message: iOS, the SDK or the app.
    package enum Presentation: Sendable, Hashable {
        /// iOS has shown it, or is about to: an alert push.
        case bySystem
        /// The SDK: a silent push with the notification's content inside.
        case local(LocalNotification)
        /// The app, inside its own screens; nothing goes to Notification Center.
        case inApp
        /// Nobody: it has no text.
        case nothing
    }

    /// The notification's `request.identifier`.
    package var identifier: String
    /// The id by which the Carillon service knows the message.
    ///
    /// `nil` for a message of another sender, about which no receipt is written.
    package var messageID: MessageID?
    package var presentation: Presentation
    /// The last moment at which the message may be seen, by the service's clock; `nil` when it does not expire.
    package var until: Timestamp?
    /// 1, or more when the message may have been delivered before.
    package var attempt: Int
    /// 1, or more for a replacement under the same identifier.
    package var revision: Int
    /// Whether what is shown says only that the message was recalled: to the app it is no message.
    package var isNotice = false
    /// Whether the service is to be told what the person types into the notification.
    package var keepsReplies = false

    package init(
        identifier: String, messageID: MessageID? = nil, presentation: Presentation, until: Timestamp? = nil,
        attempt: Int = 1, revision: Int = 1
    ) {
        self.identifier = identifier
        self.messageID = messageID
        self.presentation = presentation
        self.until = until
        self.attempt = attempt
        self.revision = revision
    }

    /// The message's name in a removal: its id at the service, or its identifier if it is another sender's.
    package var removalName: String { messageID?.rawValue ?? identifier }
}

/// A notification that must leave the list, as a push or an answer of the service says.
package struct PushRemoval: Sendable, Hashable {
    /// The notification's `request.identifier`; for a message of Carillon's own service its id.
    package var identifier: String
    /// The id by which the Carillon service knows the message; `nil` for another sender's.
    package var messageID: MessageID?
    /// The newest revision that is meant, together with those before it.
    package var revision: Int
    package var reason: Removal.Reason

    package init(
        identifier: String, messageID: MessageID? = nil, revision: Int = 1, reason: Removal.Reason = .recall
    ) {
        self.identifier = identifier
        self.messageID = messageID
        self.revision = revision
        self.reason = reason
    }

    package init(_ removal: Removal) {
        self.init(
            identifier: removal.message.rawValue, messageID: removal.message, revision: removal.revision,
            reason: removal.reason)
    }

    /// The identifiers under which the message may be in the list: its own, and the one that Pushwoosh's dialect gives
    /// it.
    package var identifiers: [String] {
        guard let messageID else { return [identifier] }
        return [identifier] + [MessageDialect.pushwoosh.identifier(of: messageID)]
    }
}
