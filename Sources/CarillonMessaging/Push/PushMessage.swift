import CarillonCore

/// A message as it arrived in one push.
package struct PushMessage: Sendable, Hashable {
    /// Who shows the message.
    package enum Presentation: Sendable, Hashable {
        /// iOS has shown it, or is about to: an alert push.
        case bySystem
        /// The SDK: a silent push with the notification's content inside.
        case local(LocalNotification)
        /// The app, inside its own screens; nothing goes to Notification Center.
        case inApp
        /// Nobody: it has no text.
        case nothing
    }

    /// The notification's `request.identifier`.
    package var identifier: String
    /// The id by which the Carillon service knows the message.
    ///
    /// `nil` for a message of another sender, about which no receipt is written.
    package var messageID: MessageID?
    package var presentation: Presentation
    /// The last moment at which the message may be seen, by the service's clock; `nil` when it does not expire.
    package var until: Timestamp?
    /// 1, or more when the message may have been delivered before.
    package var attempt: Int
    /// 1, or more for a replacement under the same identifier.
    package var revision: Int
    /// Whether what is shown says only that the message was recalled: to the app it is no message.
    package var isNotice = false
    /// Whether the service is to be told what the person types into the notification.
    package var keepsReplies = false

    package init(
        identifier: String, messageID: MessageID? = nil, presentation: Presentation, until: Timestamp? = nil,
        attempt: Int = 1, revision: Int = 1
    ) {
        self.identifier = identifier
        self.messageID = messageID
        self.presentation = presentation
        self.until = until
        self.attempt = attempt
        self.revision = revision
    }

    /// What a removal calls the message: its id at the service, or its identifier if it is another sender's.
    package var removalName: String { messageID?.rawValue ?? identifier }
}
