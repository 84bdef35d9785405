import CarillonCore

/// Which messages of a user have been read.
package enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// As long as no newer revision has come since.
    case revisions([MessageRevision])
    /// Everything accepted until then.
    case upTo(Timestamp)
}

/// What came of ``Store/markRead(_:user:on:at:)``.
package struct ReadOutcome: Sendable, Hashable {
    /// Messages that were unread before.
    package var marked: Int
    /// What is unread now.
    package var unread: Int
    package var events: [TimelineEvent]

    package init(marked: Int, unread: Int, events: [TimelineEvent]) {
        self.marked = marked
        self.unread = unread
        self.events = events
    }
}

/// One message in a user's inbox.
package struct InboxEntry: Sendable, Hashable {
    /// Grows with every accepted message: where the next page begins.
    package var number: Int64
    package var id: MessageID
    package var acceptedAt: Timestamp
    package var until: Timestamp?
    package var readAt: Timestamp?
    package var revision: Int
    /// The sender's payload.
    package var payload: Payload

    package init(
        number: Int64, id: MessageID, acceptedAt: Timestamp, until: Timestamp?, readAt: Timestamp?, revision: Int,
        payload: Payload
    ) {
        self.number = number
        self.id = id
        self.acceptedAt = acceptedAt
        self.until = until
        self.readAt = readAt
        self.revision = revision
        self.payload = payload
    }
}

/// What came of ``Store/record(_:from:at:)``.
package struct ReceiptOutcome: Sendable, Hashable {
    /// Receipts that were new and about a message of this device.
    package var recorded: [Receipt]
    package var events: [TimelineEvent]

    package init(recorded: [Receipt], events: [TimelineEvent]) {
        self.recorded = recorded
        self.events = events
    }
}
