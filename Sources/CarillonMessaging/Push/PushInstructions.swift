import CarillonCore

/// The instructions that a push contains for the app, in Carillon's or another provider's payload format; made by
/// ``PushInterpreter``.
package struct PushInstructions: Sendable, Hashable {
    /// The payload format of a push: Carillon's, or another push provider's.
    package enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// Carillon's own payload format: the key `carillon`, version 1 or later.
        case carillon
        /// Pushwoosh's payload format: the keys `crt`, `dlt` and `title`, at the top level or inside the JSON text under `u`.
        case pushwoosh
        /// Infobip's payload format: the keys `messageId` and `internalData`.
        case infobip
        /// No payload format that Carillon understands: a push for another SDK or for the app itself.
        case foreign
    }

    package var dialect: Dialect
    /// The push's message; `nil` if the push only carries removals, or has a format that Carillon does not understand.
    package var message: PushMessage?
    /// The notifications to remove from Notification Center.
    package var removals: [PushRemoval]
    /// Whether some removals did not fit into the push, so that the SDK must ask the service for them.
    package var needsSync: Bool
    /// The number for the app's icon; `nil` changes nothing.
    package var badge: Int?
    /// The time at which the service composed the push, by the service's clock; `nil` if the push does not contain it.
    package var composedAt: Timestamp?
    /// A nonce that the installation returns to prove that it holds its device token; `nil` if the push contains none.
    package var claim: TokenClaim?
    /// A message to the app's developer about a part of the push that the SDK does not understand; `nil` if there is none.
    ///
    /// The SDK carries out the other parts of the push.
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

/// A message that arrived in a push, with the facts about it that the push contains.
package struct PushMessage: Sendable, Hashable {
    /// The party that shows the message: iOS, the SDK or the app.
    package enum Presentation: Sendable, Hashable {
        /// iOS shows the message or has shown it, because it came in an alert push.
        case bySystem
        /// The SDK shows the message as this local notification, because it came in a silent push.
        case local(LocalNotification)
        /// The app shows the message inside its own screens; nothing goes to Notification Center.
        case inApp
        /// Neither iOS nor the SDK shows the message, because it has no text.
        case nothing
    }

    /// The notification's `request.identifier`.
    package var identifier: String
    /// The message's id at the Carillon service.
    ///
    /// `nil` for a message that another push provider has sent. Such a message gets no receipts.
    package var messageID: MessageID?
    package var presentation: Presentation
    /// The last moment at which the message may be seen, by the service's clock; `nil` if it does not expire.
    package var until: Timestamp?
    /// The time at which the service composed the push, by the service's clock; `nil` if the push does not contain it.
    package var composedAt: Timestamp?
    /// The number of the delivery attempt: 1, or higher if the message may have been delivered before.
    package var attempt: Int
    /// The number of the message's version (its revision): 1, or higher for a replacement under the same identifier.
    package var revision: Int
    /// Whether the notification only says that the message was recalled or may no longer be seen.
    ///
    /// The app does not receive such a notice as a message.
    package var isNotice = false
    /// Whether the SDK sends the service the text that the person types into the notification.
    package var keepsReplies = false

    package init(
        identifier: String, messageID: MessageID? = nil, presentation: Presentation, until: Timestamp? = nil,
        composedAt: Timestamp? = nil, attempt: Int = 1, revision: Int = 1
    ) {
        self.identifier = identifier
        self.messageID = messageID
        self.presentation = presentation
        self.until = until
        self.composedAt = composedAt
        self.attempt = attempt
        self.revision = revision
    }

    /// The name by which removals refer to the message: its id at the service, or its identifier if another push provider sent
    /// it.
    package var removalName: String { messageID?.rawValue ?? identifier }

    /// The payload of the notification that stands in for the message while the message may not be seen.
    ///
    /// It contains only the facts by which the SDK removes that notification: no text, no link and no key of the sender.
    package var noticePayload: [String: JSONValue] {
        let key = CarillonKey(id: messageID, now: composedAt, until: until, revision: revision, isNotice: true)
        return [CarillonKey.payloadKey: key.json]
    }
}

/// A removal of a notification from Notification Center, as requested by a push or by an answer of the service.
package struct PushRemoval: Sendable, Hashable {
    /// The notification's `request.identifier`; for a message of Carillon's own service, the message's id.
    package var identifier: String
    /// The message's id at the Carillon service; `nil` for a message that another push provider has sent.
    package var messageID: MessageID?
    /// The newest version (revision) of the message to remove; older versions are removed too.
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

    /// Makes the removal of a message's version, and of older versions, from Notification Center.
    init(_ message: PushMessage, reason: Removal.Reason) {
        self.init(
            identifier: message.identifier, messageID: message.messageID, revision: message.revision, reason: reason)
    }

    package init(_ removal: Removal) {
        self.init(
            identifier: removal.message.rawValue, messageID: removal.message, revision: removal.revision,
            reason: removal.reason)
    }

    /// The identifiers that the message may have in Notification Center: ``identifier``, and the identifier that Pushwoosh's
    /// payload format gives to the message.
    package var identifiers: [String] {
        guard let messageID else { return [identifier] }
        return [identifier] + [MessageDialect.pushwoosh.identifier(of: messageID)]
    }
}
