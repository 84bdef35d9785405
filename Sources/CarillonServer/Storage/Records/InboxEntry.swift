import CarillonCore

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// The message's number.
    ///
    /// Every accepted message gets a greater number. The next page of the inbox continues below it.
    var number: Int64
    package var id: MessageID
    var acceptedAt: Timestamp
    /// The time from which the message is not shown any more; `nil` for never.
    var until: Timestamp?
    /// The time at which the message was read; `nil` while it is unread.
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload
}

/// A selection of a user's messages to mark as read.
package enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// Messages up to the given revisions.
    ///
    /// A message with a newer revision is left out.
    case revisions([MessageRevision])
    /// All messages accepted up to this time.
    case upTo(Timestamp)
}

/// The outcome of ``UserCalls/markRead(_:user:on:at:)``.
package struct ReadOutcome: Sendable, Hashable {
    /// The number of messages that the call changed from unread to read.
    package var marked: Int
    /// The number of messages that are unread now.
    package var unread: Int
    var events: [TimelineEvent]
}
