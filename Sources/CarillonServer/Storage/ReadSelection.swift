import CarillonCore

/// Which messages of a user have been read.
public enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// As long as no newer revision has come since.
    case revisions([MessageRevision])
    /// Everything accepted until then.
    case upTo(Timestamp)
}

/// What came of ``Store/markRead(_:user:on:at:)``.
public struct ReadOutcome: Sendable, Hashable {
    /// Messages that were unread before.
    public var marked: Int
    /// What is unread now.
    public var unread: Int
    public var events: [TimelineEvent]

    public init(marked: Int, unread: Int, events: [TimelineEvent]) {
        self.marked = marked
        self.unread = unread
        self.events = events
    }
}

/// One message in a user's inbox.
public struct InboxEntry: Sendable, Hashable {
    /// Grows with every accepted message: where the next page begins.
    public var number: Int64
    public var id: MessageID
    public var acceptedAt: Timestamp
    public var until: Timestamp?
    public var readAt: Timestamp?
    public var revision: Int
    /// The sender's payload.
    public var payload: Payload

    public init(
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
public struct ReceiptOutcome: Sendable, Hashable {
    /// Receipts that were new and about a message of this device.
    public var recorded: [Receipt]
    public var events: [TimelineEvent]

    public init(recorded: [Receipt], events: [TimelineEvent]) {
        self.recorded = recorded
        self.events = events
    }
}
