/// What the SDK can say about a message. Each is claimed only when it is known: `shown` comes from willPresent, a
/// completed local add, or the delivered list, never from a hope.
public enum ReceiptEvent: String, Sendable, Hashable, CaseIterable, Codable {
    /// The push has reached code of the app (the service extension, or a wake in the background).
    case received
    case shown
    /// The person opened the app from it.
    case opened
    /// The person chose an action; `detail` is the action's identifier.
    case acted
    case dismissed
    /// It was not shown, or was taken away, because its time had passed; `detail` says which.
    case expired
    /// A recall was carried out: it is not on this phone's screen, and will not come back.
    case recalled
}

/// One line of what happened on a phone.
public struct Receipt: Sendable, Hashable, Codable {
    /// Made on the phone; the same receipt sent twice is counted once. 1–64 bytes like a ``MessageID``.
    public var id: String
    public var message: MessageID
    public var event: ReceiptEvent
    /// When it happened, by the phone's clock corrected with the service's.
    public var at: Timestamp
    /// Why, or which: an action's identifier, the reason of an expiry. At most 200 bytes; never a message's text.
    public var detail: String?
    /// Of which revision of the message it is true; absent means 1.
    public var revision: Int?

    /// The `detail` of a `shown` that says: a second time, though it had been shown before.
    public static let shownAgain = "again"

    /// - Parameter revision: the default is 1.
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

/// The body of `POST /v1/receipts`, authenticated as the installation
/// (`Authorization: Bearer <installation>:<secret>`).
public struct ReceiptBatch: Sendable, Hashable, Codable {
    public static let countLimit = 500

    public var receipts: [Receipt]

    public init(receipts: [Receipt]) { self.receipts = receipts }
}
