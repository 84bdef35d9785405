import CarillonCore
import Synchronization

/// The message of a ``ClaimedDelivery`` in one language.
///
/// This type is a class because all pushes with equal content share the message, which keeps each push small.
package final class ClaimedMessage: Sendable {
    package let id: MessageID
    let mode: DeliveryMode
    let until: Timestamp?
    /// Whether the message is delivered now or never (``MessageEnd/now``), so that APNs tries once and keeps nothing.
    let isNowOrNever: Bool
    /// The payload that the backend sent, without the key `carillon`, which is added when the push is composed.
    package let payload: Payload
    /// Whether the service sets the badge to the user's unread count.
    let badgeIsUnreadCount: Bool
    /// The payload's format: Carillon's own, or Carillon's together with another push provider's.
    let dialect: MessageDialect
    /// The title and body of the notice that replaces a recalled message, if the push to send is that notice; `nil` if the push
    /// shows the message itself.
    let notice: RecallNotice?
    /// Whether the phone reports the text that the person types into the notification.
    let keepsReplies: Bool
    /// The encoded pushes: one for devices whose user has an unread count (`true`), one for other devices (`false`).
    private let encodings = Mutex<[Bool: PushEncoding]>([:])

    init(
        id: MessageID, mode: DeliveryMode, until: Timestamp?, payload: Payload, badgeIsUnreadCount: Bool,
        dialect: MessageDialect = .carillon, notice: RecallNotice? = nil, keepsReplies: Bool = false,
        isNowOrNever: Bool = false
    ) {
        (self.id, self.mode, self.until, self.payload) = (id, mode, until, payload)
        self.isNowOrNever = isNowOrNever
        (self.badgeIsUnreadCount, self.dialect) = (badgeIsUnreadCount, dialect)
        (self.notice, self.keepsReplies) = (notice, keepsReplies)
    }

    /// The identifier of the notification's `UNNotificationRequest` on the phone.
    var identifier: String { dialect.identifier(of: id) }

    /// Returns a copy of the message with another payload.
    func with(_ payload: Payload) -> ClaimedMessage {
        ClaimedMessage(
            id: id, mode: mode, until: until, payload: payload, badgeIsUnreadCount: badgeIsUnreadCount,
            dialect: dialect, notice: notice, keepsReplies: keepsReplies, isNowOrNever: isNowOrNever)
    }

    /// Returns a copy of the message whose ``notice`` is the given one.
    ///
    /// - Parameter notice: the title and body that replace the recalled message; `nil` for a push that shows the
    ///   message itself.
    /// - Returns: the copy.
    func with(_ notice: RecallNotice?) -> ClaimedMessage {
        ClaimedMessage(
            id: id, mode: mode, until: until, payload: payload, badgeIsUnreadCount: badgeIsUnreadCount,
            dialect: dialect, notice: notice, keepsReplies: keepsReplies, isNowOrNever: isNowOrNever)
    }

    /// Returns the encoding that all pushes with equal content share; the first call makes it.
    ///
    /// - Parameter push: a push that carries the message.
    /// - Returns: the encoding; `nil` if the push must be composed for its device alone.
    func encoding(for push: ClaimedDelivery) -> PushEncoding? {
        let hasUnread = push.unread != nil
        if let known = encodings.withLock({ $0[hasUnread] }) { return known }
        guard let made = PushEncoding(push) else { return nil }
        encodings.withLock { $0[hasUnread] = made }
        return made
    }
}

extension ClaimedMessage: Hashable {
    package static func == (left: ClaimedMessage, right: ClaimedMessage) -> Bool {
        left === right
            || (left.id == right.id && left.mode == right.mode && left.until == right.until
                && left.isNowOrNever == right.isNowOrNever
                && left.payload == right.payload && left.badgeIsUnreadCount == right.badgeIsUnreadCount
                && left.dialect == right.dialect && left.notice == right.notice
                && left.keepsReplies == right.keepsReplies)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
