import Foundation

/// A marker for objects that can update a notification's content: messages and calls of the module Intents.
/// [UNNotificationContentProviding](https://developer.apple.com/documentation/usernotifications/unnotificationcontentproviding)
///
/// An app's own class may conform, but ``UNNotificationContent/updating(from:)`` refuses its objects.
@available(iOS 15, *)
public protocol UNNotificationContentProviding: NSObjectProtocol {}

/// A message with an attributed text, since iOS 18; the module Intents makes it from an `INSendMessageIntent`.
/// [UNNotificationAttributedMessageContext](https://developer.apple.com/documentation/usernotifications/unnotificationattributedmessagecontext)
///
/// Differs from iOS: the text's attributes are not drawn.
@available(iOS 18, *)
open class UNNotificationAttributedMessageContext: NSObject, UNNotificationContentProviding {
    let message: any CommunicationProvider
    let attributedContent: NSAttributedString

    @_spi(Simulation) public init(message: any CommunicationProvider, attributedContent: NSAttributedString) {
        self.message = message
        self.attributedContent = attributedContent
    }
}

extension UNNotificationContent {
    /// Returns a copy that shows the sender: the title becomes the sender's name, and in a group, the subtitle becomes the
    /// group's name.
    /// [updating(from:)](https://developer.apple.com/documentation/usernotifications/unnotificationcontent/updating(from:))
    ///
    /// - Throws: `UNError.contentProvidingObjectNotAllowed` if the app itself defines the class of `provider`;
    ///   `UNError.contentProvidingInvalid` for a message without a sender or a call without contacts.
    @available(iOS 15, *)
    public func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        let attributed = provider as? UNNotificationAttributedMessageContext
        guard let source = attributed?.message ?? provider as? any CommunicationProvider else {
            throw UNError(.contentProvidingObjectNotAllowed)
        }
        guard let communication = source.communication, !communication.senderName.isEmpty else {
            throw UNError(.contentProvidingInvalid)
        }
        var updated = fields
        updated.title = communication.senderName
        if let group = communication.groupTitle { updated.subtitle = group }
        if let attributed { updated.body = attributed.attributedContent.string }
        updated.communication = communication
        // The result is mutable on iOS too, and apps cast it.
        return UNMutableNotificationContent(fields: updated)
    }
}
