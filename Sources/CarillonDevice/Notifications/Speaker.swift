import Foundation
@_spi(Simulation) import UserNotifications

/// The person who speaks in a message or a call.
public struct Speaker: Sendable, Hashable {
    /// The sender's or caller's name.
    public let name: String
    /// The group's name, or its other members; `nil` for a conversation of two.
    public let group: String?
    /// A call rather than a message.
    public let isCall: Bool
    /// The app's own identifier of the conversation; `nil` without one.
    public let conversationIdentifier: String?
    /// The bytes of the picture that the app gave; `nil` without one.
    public let picture: Data?

    init(_ communication: Communication) {
        name = communication.senderName
        group = communication.groupTitle
        isCall = communication.kind == .call
        conversationIdentifier = communication.conversationIdentifier
        picture = communication.avatar
    }
}
