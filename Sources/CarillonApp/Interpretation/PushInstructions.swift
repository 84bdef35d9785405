import CarillonCore

/// What a push asks of the app, whichever sender's vocabulary it was written in. Made by ``PushInterpreter``.
public struct PushInstructions: Sendable, Hashable {
    /// Whose vocabulary the push speaks.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// The key `carillon`, version 1 or later.
        case carillon
        /// `crt`, `dlt` and `title`, at the top level or inside the JSON text under `u`.
        case pushwoosh
        /// `messageId` and `internalData`.
        case infobip
        /// None of these: another SDK's, or the app's own.
        case foreign
    }

    public var dialect: Dialect
    /// The message that the push is about; `nil` when it only carries removals, or is foreign.
    public var message: PushMessage?
    /// The notifications that must leave the screen.
    public var removals: [PushRemoval]
    /// More removals wait than fitted into the push: ask the service.
    public var needsSync: Bool
    /// The number that belongs on the app's icon; `nil` changes nothing.
    public var badge: Int?
    /// The service's clock when it composed the push.
    public var composedAt: Timestamp?
    /// What could not be understood, in a sentence for the developer; the rest is carried out all the same.
    public var problem: String?

    public init(
        dialect: Dialect, message: PushMessage? = nil, removals: [PushRemoval] = [], needsSync: Bool = false,
        badge: Int? = nil, composedAt: Timestamp? = nil, problem: String? = nil
    ) {
        self.dialect = dialect
        self.message = message
        self.removals = removals
        self.needsSync = needsSync
        self.badge = badge
        self.composedAt = composedAt
        self.problem = problem
    }
}

/// A message as it arrived in one push.
public struct PushMessage: Sendable, Hashable {
    /// Who puts the message on the screen.
    public enum Presentation: Sendable, Hashable {
        /// iOS has done so, or is about to: an alert push.
        case bySystem
        /// The SDK: a silent push with the notification's content inside.
        case local(LocalNotification)
        /// The app, inside its own screens; nothing goes to the notification center.
        case inApp
        /// Nobody: there is nothing to read in it.
        case nothing
    }

    /// The notification's `request.identifier`.
    public var identifier: String
    /// The id by which the Carillon service knows the message; `nil` for a message of another service, about which no
    /// receipt is written.
    public var messageID: MessageID?
    public var presentation: Presentation
    /// Not to be seen after this moment, by the service's clock.
    public var until: Timestamp?
    /// 2 or more when it may have been delivered before.
    public var attempt: Int
    /// 1, or more for a replacement under the same identifier.
    public var revision: Int

    public init(
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
}

/// A notification that a push wants gone.
public struct PushRemoval: Sendable, Hashable {
    /// The notification's `request.identifier`; for a message of Carillon's own service its id.
    public var identifier: String
    /// The id by which the Carillon service knows the message; `nil` for another service's.
    public var messageID: MessageID?
    /// Up to this revision.
    public var revision: Int
    public var reason: Removal.Reason

    public init(identifier: String, messageID: MessageID? = nil, revision: Int = 1, reason: Removal.Reason = .recall) {
        self.identifier = identifier
        self.messageID = messageID
        self.revision = revision
        self.reason = reason
    }

    public init(_ removal: Removal) {
        self.init(
            identifier: removal.message.rawValue, messageID: removal.message, revision: removal.revision,
            reason: removal.reason)
    }

    /// By which identifiers the message may be on the screen: its own, and its name in a dialect.
    public var identifiers: [String] {
        guard let messageID else { return [identifier] }
        return [identifier] + [MessageDialect.pushwoosh.identifier(of: messageID)]
    }
}
