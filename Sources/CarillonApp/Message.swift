import CarillonCore
import CarillonMessaging
import Foundation

extension Carillon {
    /// A message as the app's own code receives it: from a push, from Notification Center, or from the inbox.
    public struct Message: Sendable, Hashable {
        /// The notification's `request.identifier`; for a push without a message id, an identifier that the SDK makes from the
        /// payload.
        public var identifier: String
        /// The message's id at the Carillon service; `nil` for a message of another sender.
        public var messageID: MessageID?
        /// The push's payload: `aps` and the sender's own keys.
        public var userInfo: [String: JSONValue]
        /// Whether ``Carillon/onMessage`` was already called with this message, and the app ended before the handler returned.
        ///
        /// The SDK calls the handler at most twice with a message.
        public internal(set) var isRepeated = false

        /// Makes a message, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - identifier: the notification's `request.identifier`.
        ///   - messageID: the message's id at the Carillon service; `nil` if it has none.
        ///   - userInfo: the payload: `aps` and the sender's own keys.
        public init(identifier: String, messageID: MessageID?, userInfo: [String: JSONValue]) {
            self.identifier = identifier
            self.messageID = messageID
            self.userInfo = userInfo
        }

        /// The payload's `aps`; empty if the payload has none.
        public var aps: [String: JSONValue] { userInfo["aps"]?.objectValue ?? [:] }

        /// The title in the payload's alert; `nil` if the alert has no title or is a plain string.
        ///
        /// A message of the push service Infobip (with ``inAppDetails``) may have its title in `internalData.silent` instead.
        public var title: String? { (aps["alert"]?["title"] ?? textInside["title"])?.stringValue }

        /// The text in the payload's alert: the alert's `body`, or the alert itself if it is a plain string; `nil` if it has
        /// none.
        ///
        /// A message of the push service Infobip (with ``inAppDetails``) may have its text in `internalData.silent` instead.
        public var body: String? {
            aps["alert"]?.stringValue ?? (aps["alert"]?["body"] ?? textInside["body"])?.stringValue
        }

        /// The URL that a tap opens; `nil` if the payload has none, or an invalid one.
        ///
        /// The URL comes from `link_url` beside `aps`; if that is missing, from `link_url` inside `aps`; if both are missing,
        /// from `clickUrl` in ``inAppDetails``.
        public var link: URL? {
            (userInfo["link_url"] ?? aps["link_url"] ?? inAppDetails?["clickUrl"])?.stringValue.flatMap {
                URL(string: $0)
            }
        }

        /// Infobip's `internalData.inAppDetails`, which marks a message for a banner inside the app; `nil` for other messages.
        public var inAppDetails: [String: JSONValue]? { userInfo["internalData"]?["inAppDetails"]?.objectValue }

        private var textInside: [String: JSONValue] {
            guard inAppDetails != nil else { return [:] }
            return userInfo["internalData"]?["silent"]?.objectValue ?? [:]
        }

    }
}

extension Carillon.Message {
    /// Makes the message for the app's handler from the copy that is stored until the handler has returned.
    init(_ item: HandOvers.Item) {
        self.init(identifier: item.identifier, messageID: item.messageID, userInfo: item.userInfo)
        isRepeated = item.callCount > 0
    }
}

extension HandOvers.Item {
    init(_ message: Carillon.Message) {
        self.init(identifier: message.identifier, messageID: message.messageID, userInfo: message.userInfo)
    }
}

extension Carillon.Response {
    /// Makes the response for the app's handler from the copy that is stored until the handler has returned.
    ///
    /// - Parameters:
    ///   - item: the stored response.
    ///   - reaction: the person's action, such as opening the notification.
    init(_ item: HandOvers.Item, _ reaction: MessageReaction.Kind) {
        self.init(message: Carillon.Message(item), action: Action(reaction))
        isRepeated = item.callCount > 0
    }
}

extension Carillon.Response.Action {
    init(_ reaction: MessageReaction.Kind) {
        switch reaction {
        case .open: self = .open
        case .dismiss: self = .dismiss
        case .act(let name, let text): self = text.map { .replied(name, text: $0) } ?? .chose(name)
        }
    }

    var kind: MessageReaction.Kind {
        switch self {
        case .open: .open
        case .dismiss: .dismiss
        case .chose(let name): .act(name, text: nil)
        case .replied(let name, let text): .act(name, text: text)
        }
    }
}

extension Carillon {
    /// The person's response to a notification.
    public struct Response: Sendable, Hashable {
        /// The person's possible responses to a notification.
        public enum Action: Sendable, Hashable {
            /// The person tapped the notification.
            case open
            /// The person cleared the notification; iOS reports this only for a category with `.customDismissAction`.
            case dismiss
            /// The person chose the button with this identifier.
            case chose(String)
            /// The person entered a text with the text-input button that has this identifier.
            case replied(String, text: String)
        }

        /// The message of the notification to which the person responded.
        public var message: Carillon.Message
        /// The person's action: a tap, a button, a text, or clearing.
        public var action: Action
        /// Whether ``Carillon/onResponse`` was already called with this response, and the app ended before the handler returned.
        ///
        /// The SDK calls the handler at most twice with a response.
        public internal(set) var isRepeated = false

        /// Makes a response, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - message: the notification's message.
        ///   - action: the person's action.
        public init(message: Carillon.Message, action: Action) {
            self.message = message
            self.action = action
        }
    }
}

extension Carillon {
    /// A message that must no longer be visible: the app should also remove its own view of it.
    public struct Removal: Sendable, Hashable {
        /// The reason why a message must no longer be visible.
        public enum Reason: Sendable, Hashable {
            /// The sender has recalled the message.
            case recalled
            /// The person has read the message, here or on another device.
            case read
            /// The message's expiry time `until` has passed, by the service's clock.
            case expired
            /// The message's user has signed out.
            case signedOut
        }

        /// The `request.identifier` of the message's notification; equal to ``Carillon/Message/identifier``.
        public var identifier: String
        /// The reason why the message must no longer be visible.
        public var reason: Reason

        /// Makes a removal, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - identifier: the notification's `request.identifier`.
        ///   - reason: the reason why the message must no longer be visible.
        public init(identifier: String, reason: Reason) {
            self.identifier = identifier
            self.reason = reason
        }

        init(_ removal: PushRemoval) {
            self.init(identifier: removal.identifier, reason: Reason(removal.reason))
        }
    }
}

extension Carillon.Removal.Reason {
    init(_ reason: CarillonCore.Removal.Reason) {
        self =
            switch reason {
            // For this person a replaced message is like a recalled one, because its new version has other recipients.
            case .recall, .replaced: .recalled
            case .read: .read
            case .signOut: .signedOut
            case .expired: .expired
            }
    }
}
