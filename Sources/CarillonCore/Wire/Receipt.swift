/// The record of one event of a message on a phone; the phone reports this record to the service.
package struct Receipt: Sendable, Hashable, Codable {
    /// The receipt's id, made on the phone, 1–64 bytes like a ``MessageID``; a receipt sent twice is counted once.
    package var id: String
    /// The message's id.
    package var message: MessageID
    /// The event.
    package var event: ReceiptEvent
    /// The time of the event, by the phone's clock, corrected by the service's clock.
    package var at: Timestamp
    /// A detail of the event, such as an action's identifier or the reason of an expiry.
    ///
    /// It has at most 200 bytes and never a message's text.
    package var detail: String?
    /// The message's revision; absent means 1.
    package var revision: Int?
    /// The person's reply, typed into the notification; absent unless the message asks for a reply.
    ///
    /// It is never logged. It has at most ``replyByteLimit`` bytes.
    package var reply: String?

    /// The `detail` of a `shown` receipt for a message that had been shown before.
    package static let shownAgain = "again"

    /// The longest ``reply``, in bytes of UTF-8; the SDK shortens a longer reply, and the service refuses one.
    package static let replyByteLimit = 1000

    /// Makes a receipt of one event.
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
    /// The greatest number of receipts that the service accepts in one request: 500.
    package static let countLimit = 500

    /// The receipts, in the order in which the events happened.
    package var receipts: [Receipt]

    package init(receipts: [Receipt]) { self.receipts = receipts }
}

/// An event of a message that the SDK can report.
///
/// The SDK reports only events that it has observed. It reports `shown` after `willPresent`, after adding a local notification,
/// or when it finds the message among the delivered notifications, but never on an assumption.
package enum ReceiptEvent: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push has reached code of the app: the service extension, or the app in a background wake.
    case received
    /// The message appeared on the screen or in the notification center.
    case shown
    /// The person has read the message: opened the app from it, chose one of its actions, or read it inside the app.
    case opened
    /// The person chose an action; `detail` is the action's identifier.
    case acted
    /// The person swiped the notification away; reported only if the category has a custom dismiss action.
    case dismissed
    /// The message was not shown, or was removed, because its time had passed.
    ///
    /// `detail` is `arrived-late`, `removed-from-screen`, `blanked` (the service extension withheld the text) or absent.
    case expired
    /// The phone carried out a recall: the message is not on its screen, and will not come back.
    case recalled
}
