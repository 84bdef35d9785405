import CarillonCore

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
