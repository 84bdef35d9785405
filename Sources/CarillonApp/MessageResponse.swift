import CarillonCore
import Foundation

/// A message as the app's own code gets to know it, whichever way it came.
public struct AppMessage: Sendable, Hashable {
    /// The notification's `request.identifier`; for a push without an id, one made from its contents.
    public var identifier: String
    /// The id by which the Carillon service knows it.
    public var messageID: MessageID?
    /// The push's payload: `aps` and the sender's own keys.
    public var userInfo: [String: JSONValue]

    public init(identifier: String, messageID: MessageID?, userInfo: [String: JSONValue]) {
        self.identifier = identifier
        self.messageID = messageID
        self.userInfo = userInfo
    }

    public var aps: [String: JSONValue] { userInfo["aps"]?.objectValue ?? [:] }

    /// The text of the alert; for a plain string, the body.
    public var title: String? { aps["alert"]?["title"]?.stringValue }
    public var body: String? { aps["alert"]?.stringValue ?? aps["alert"]?["body"]?.stringValue }

    /// Where a tap leads: `link_url` beside `aps`, or inside of it, where the classic tutorial puts it.
    public var link: URL? {
        (userInfo["link_url"] ?? aps["link_url"])?.stringValue.flatMap { URL(string: $0) }
    }
}

/// What the person did with a notification.
public struct MessageResponse: Sendable, Hashable {
    public enum Action: Sendable, Hashable {
        /// Tapped it.
        case open
        /// Cleared it; only said for a category with `customDismissAction`.
        case dismiss
        /// Chose one of the category's actions.
        case chose(String)
        /// Wrote an answer into a text action.
        case replied(String, text: String)
    }

    public var message: AppMessage
    public var action: Action

    public init(message: AppMessage, action: Action) {
        self.message = message
        self.action = action
    }
}
