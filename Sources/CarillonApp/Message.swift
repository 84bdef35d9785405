import CarillonCore
import CarillonMessaging
import Foundation

extension Carillon {
    /// A message as the app's own code receives it, whichever way it came.
    public struct Message: Sendable, Hashable {
        /// The notification's `request.identifier`; for a push without an id, one made from its contents.
        public var identifier: String
        /// The id by which the Carillon service knows the message; `nil` for a message of another sender.
        public var messageID: MessageID?
        /// The push's payload: `aps` and the sender's own keys.
        public var userInfo: [String: JSONValue]

        /// Makes a message, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - identifier: the notification's `request.identifier`.
        ///   - messageID: the id at the Carillon service, if it has one.
        ///   - userInfo: the payload: `aps` and the sender's own keys.
        public init(identifier: String, messageID: MessageID?, userInfo: [String: JSONValue]) {
            self.identifier = identifier
            self.messageID = messageID
            self.userInfo = userInfo
        }

        /// The payload's `aps`; empty when it has none.
        public var aps: [String: JSONValue] { userInfo["aps"]?.objectValue ?? [:] }

        /// The title of the alert; `nil` for an alert that is a plain string.
        ///
        /// A message for the inside of the app may have its texts in `internalData.silent` instead.
        public var title: String? { (aps["alert"]?["title"] ?? textInside["title"])?.stringValue }

        /// The text of the alert; for an alert that is a plain string, that string.
        ///
        /// As for ``title``, it may be inside.
        public var body: String? {
            aps["alert"]?.stringValue ?? (aps["alert"]?["body"] ?? textInside["body"])?.stringValue
        }

        /// Where a tap leads: `link_url` beside `aps`, or inside of it, or `clickUrl` of ``inAppDetails``; `nil` for none, or
        /// one that is no URL.
        public var link: URL? {
            (userInfo["link_url"] ?? aps["link_url"] ?? inAppDetails?["clickUrl"])?.stringValue.flatMap {
                URL(string: $0)
            }
        }

        /// Infobip's `internalData.inAppDetails`: the message is for the inside of the app, as a banner of its own; `nil` for
        /// every other message.
        public var inAppDetails: [String: JSONValue]? { userInfo["internalData"]?["inAppDetails"]?.objectValue }

        private var textInside: [String: JSONValue] {
            guard inAppDetails != nil else { return [:] }
            return userInfo["internalData"]?["silent"]?.objectValue ?? [:]
        }

        /// A notification of the list.
        init(_ notification: DeliveredNotification) {
            self.init(
                identifier: notification.identifier, messageID: notification.message?.messageID,
                userInfo: notification.userInfo)
        }
    }
}
