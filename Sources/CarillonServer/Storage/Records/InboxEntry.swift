import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// The message's number in the store.
    ///
    /// Each accepted message gets a greater number than all earlier ones. An inbox lists messages by falling number, so the next
    /// page has only numbers below the last number of this page.
    var number: Int64
    package var id: MessageID
    var acceptedAt: Timestamp
    /// The time at which the message expires and leaves the inbox; `nil` if it never expires.
    var until: Timestamp?
    /// The time at which the message was read; `nil` while it is unread.
    package var readAt: Timestamp?
    package var revision: Int
    /// The backend's payload, in the language for the locale of the request.
    package var payload: Payload
}

/// A selection of a user's messages to mark as read.
package enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// The messages with these ids, each only if its present revision is not newer than the revision given here.
    case revisions([MessageRevision])
    /// All messages that were accepted up to this time.
    case upTo(Timestamp)
}

/// The outcome of marking messages as read (``UserCalls/markRead(_:user:on:at:)``).
package struct ReadOutcome: Sendable, Hashable {
    /// The number of messages that the call changed from unread to read.
    package var marked: Int
    /// The number of the user's messages that are still unread.
    package var unread: Int
}
