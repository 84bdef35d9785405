import CarillonCore

/// Decides about the messages on this phone: which may be shown, which must go, and which receipts are true.
///
/// A value that the app and its service extension share through the store. Every method takes the phone's clock; the
/// decisions go by the service's (``ServiceTime``).
package struct MessagePolicy: Sendable, Hashable, Codable {
    // The names of the stored properties are keys of the store's files.

    package var time = ServiceTime()
    package var badge = BadgeState()
    package internal(set) var tombstones = Tombstones()
    package internal(set) var known = KnownMessages()
    package var receipts: ReceiptQueue
    var unnamed = UnidentifiedMessages()
    /// When somebody signed out last, by the service's clock; pushes that were composed before may be meant for them.
    var signedOutAt: Timestamp?
    /// Whether receipts are written at all; a person may object to them.
    package var writesReceipts = true

    /// - Parameter receiptPrefix: random; see ``ReceiptQueue/prefix``.
    package init(receiptPrefix: String) { receipts = ReceiptQueue(prefix: receiptPrefix) }

    // MARK: What is known

    /// Records a message that was seen outside of a push: in the list of delivered notifications, or in a response.
    package mutating func record(_ message: PushMessage, at phoneNow: Timestamp) {
        known.record(message, at: time.now(phoneNow))
    }

    /// Records that the app's own code receives a push that the app delegate was given.
    ///
    /// - Parameters:
    ///   - message: `nil` for a push without an id.
    ///   - payload: identifies a push without an id.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(_ message: PushMessage?, payload: [String: JSONValue]) -> Bool {
        if let message { return known.reachesApp(message.identifier) }
        return unnamed.reportedByApplication(digest: UnidentifiedMessages.digest(payload))
    }

    /// Records that the app's own code receives a notification that the notification center has reported.
    ///
    /// - Parameters:
    ///   - identifier: of the notification.
    ///   - payload: identifies a push without an id.
    /// - Returns: whether it receives the message for the first time.
    package mutating func reachesApp(shown identifier: String, payload: [String: JSONValue]) -> Bool {
        if known[identifier] != nil { return known.reachesApp(identifier) }
        return unnamed.reportedByCenter(identifier: identifier, digest: UnidentifiedMessages.digest(payload))
    }

    /// Forgets the messages of the user who signs out.
    ///
    /// Tombstones and receipts that wait hold no texts, and are kept. A push that was composed for the user before and
    /// comes late is not shown.
    package mutating func signOut(at phoneNow: Timestamp) { forgetMessages(signedOutAt: time.now(phoneNow)) }

    /// Forgets the messages of a user who has signed out at a moment of the service's clock.
    mutating func forgetMessages(signedOutAt moment: Timestamp) {
        signedOutAt = moment
        known.removeAll()
        unnamed = UnidentifiedMessages()
    }
}
