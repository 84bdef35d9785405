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

/// The body of `POST /v1/receipts`, authenticated as the installation
/// (`Authorization: Bearer <installation>:<secret>`).
package struct ReceiptBatch: Sendable, Hashable, Codable {
    /// The most receipts that the service takes in one request: 500.
    package static let countLimit = 500

    /// In the order in which they happened.
    package var receipts: [Receipt]

    package init(receipts: [Receipt]) { self.receipts = receipts }
}

/// What the SDK can say about a message.
///
/// Each is claimed only when it is known: `shown` comes from `willPresent`, a completed local add, or the delivered
/// list, never from a hope.
package enum ReceiptEvent: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push has reached code of the app (the service extension, or a wake in the background).
    case received
    /// It was put on the screen or into the list.
    case shown
    /// The person has read it: opened the app from it, chose an action of it, or read it inside the app.
    case opened
    /// The person chose an action; `detail` is the action's identifier.
    case acted
    /// The person swiped it away (only where the category asks for a custom dismiss action).
    case dismissed
    /// It was not shown, or was taken away, because its time had passed; `detail` says which.
    case expired
    /// A recall was carried out: it is not on this phone's screen, and will not come back.
    case recalled
}
