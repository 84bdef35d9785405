/// One line of what happened on a phone.
package struct Receipt: Sendable, Hashable, Codable {
    /// Made on the phone, 1–64 bytes like a ``MessageID``; the same receipt sent twice is counted once.
    package var id: String
    /// The message it is about.
    package var message: MessageID
    /// What happened.
    package var event: ReceiptEvent
    /// When it happened, by the phone's clock corrected with the service's.
    package var at: Timestamp
    /// Why, or which: an action's identifier, the reason of an expiry.
    ///
    /// At most 200 bytes; never a message's text.
    package var detail: String?
    /// Of which revision of the message it is true; absent means 1.
    package var revision: Int?
    /// What the person typed into the notification; only where the message asks for it, and never logged.
    ///
    /// At most ``replyByteLimit``.
    package var reply: String?

    /// The `detail` of a `shown` that says: a second time, though it had been shown before.
    package static let shownAgain = "again"

    /// The longest ``reply``, in bytes of UTF-8; the SDK cuts it, and the service refuses more.
    package static let replyByteLimit = 1000

    /// A receipt of one event.
    package init(
        id: String, message: MessageID, event: ReceiptEvent, at: Timestamp, detail: String? = nil, revision: Int = 1,
        reply: String? = nil
    ) {
        self.id = id
        self.message = message
        self.event = event
        self.at = at
        self.detail = detail
        self.revision = revision > 1 ? revision : nil
        self.reply = reply
    }
}
