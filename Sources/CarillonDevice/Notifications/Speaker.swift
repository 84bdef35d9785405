import Foundation
@_spi(Simulation) import UserNotifications

/// The person who sends a message or makes a call.
public struct Speaker: Sendable, Hashable {
    /// The sender's or caller's name.
    public let name: String
    /// The group's name, or its other members; `nil` for a conversation of two people.
    public let group: String?
    /// Whether the person makes a call, rather than sending a message.
    public let isCall: Bool
    /// The app's identifier of the conversation; `nil` if there is none.
    public let conversationIdentifier: String?
    /// The bytes of the picture of the person or the group; `nil` if the app gave no picture.
    public let picture: Data?

    init(_ communication: Communication) {
        name = communication.senderName
        group = communication.groupTitle
        isCall = communication.kind == .call
        conversationIdentifier = communication.conversationIdentifier
        picture = communication.avatar
    }
}
