/// One line of what happened on a phone.
public struct Receipt: Sendable, Hashable, Codable {
    /// Made on the phone, 1–64 bytes like a ``MessageID``; the same receipt sent twice is counted once.
    public var id: String
    /// The message it is about.
    public var message: MessageID
    /// What happened.
    public var event: ReceiptEvent
    /// When it happened, by the phone's clock corrected with the service's.
    public var at: Timestamp
    /// Why, or which: an action's identifier, the reason of an expiry.
    ///
    /// At most 200 bytes; never a message's text.
    public var detail: String?
    /// Of which revision of the message it is true; absent means 1.
    public var revision: Int?

    /// The `detail` of a `shown` that says: a second time, though it had been shown before.
    public static let shownAgain = "again"

    /// A receipt of one event.
    public init(
        id: String, message: MessageID, event: ReceiptEvent, at: Timestamp, detail: String? = nil, revision: Int = 1
    ) {
        self.id = id
        self.message = message
        self.event = event
        self.at = at
        self.detail = detail
        self.revision = revision > 1 ? revision : nil
    }
}
