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
        /// Whether the app ended while ``Carillon/onMessage`` dealt with this message: it is called a second, last time.
        public internal(set) var isRepeated = false

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

    }
}

extension Carillon.Message {
    /// A message that has waited, and whose handler is called now.
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
    /// A response that has waited, and whose handler is called now.
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
        /// The kinds of things that a person does with a notification.
        public enum Action: Sendable, Hashable {
            /// Tapped it.
            case open
            /// Cleared it; reported only for a category with `.customDismissAction`.
            case dismiss
            /// Chose the button with this identifier.
            case chose(String)
            /// Wrote a text into the field of the button with this identifier.
            case replied(String, text: String)
        }

        /// The notification's message.
        public var message: Carillon.Message
        /// The way in which the person responded.
        public var action: Action
        /// Whether the app ended while ``Carillon/onResponse`` dealt with this response: it is called a second, last time.
        public internal(set) var isRepeated = false

        /// Makes a response, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - message: the notification's message.
        ///   - action: what the person did with it.
        public init(message: Carillon.Message, action: Action) {
            self.message = message
            self.action = action
        }
    }
}

extension Carillon {
    /// A message that must not be visible any more: what the app shows of it itself should go too.
    public struct Removal: Sendable, Hashable {
        /// Why a message must not be visible any more.
        public enum Reason: Sendable, Hashable {
            /// The sender has taken it back.
            case recalled
            /// The person has read it, here or on another device.
            case read
            /// Its `until` has passed, by the service's clock.
            case expired
            /// It was meant for a user who has signed out.
            case signedOut
        }

        /// The notification's `request.identifier`: ``Carillon/Message/identifier``.
        public var identifier: String
        /// Why it must not be visible any more.
        public var reason: Reason

        /// Makes a removal, for instance in a test of the app's own code.
        ///
        /// - Parameters:
        ///   - identifier: the notification's `request.identifier`.
        ///   - reason: why the message must not be visible any more.
        public init(identifier: String, reason: Reason) {
            self.identifier = identifier
            self.reason = reason
        }

        init(_ removal: PushRemoval) {
            self.init(identifier: removal.identifier, reason: Reason(removal.reason))
        }

        /// - Parameters:
        ///   - message: one that a tombstone stops.
        ///   - reason: the tombstone's; `nil` when the person has read the message on this phone.
        init(_ message: PushMessage, _ reason: CarillonCore.Removal.Reason?) {
            self.init(identifier: message.identifier, reason: reason.map(Reason.init) ?? .read)
        }
    }
}

extension Carillon.Removal.Reason {
    init(_ reason: CarillonCore.Removal.Reason) {
        self =
            switch reason {
            // For this person it is as if it had been taken back: the message is for others now.
            case .recall, .replaced: .recalled
            case .read: .read
            case .signOut: .signedOut
            case .expired: .expired
            }
    }
}
