import Foundation

/// The sender and the recipients of a communication notification.
@_spi(Simulation) public struct Communication: Sendable, Hashable, Codable {
    public enum Kind: String, Sendable, Hashable, Codable { case message, call }

    public var kind: Kind
    public var senderName: String
    /// The sender's handle and the app's own identifiers of the sender, by which a Focus recognises the person.
    public var senderIdentifiers: [String]
    /// The names of the other participants, without the sender and the phone's owner.
    public var recipientNames: [String]
    /// The number of other participants, including participants whom the app does not name.
    public var recipientCount: Int
    public var groupName: String?
    public var conversationIdentifier: String?
    /// The bytes of the picture; `nil` if the app gave none.
    public var avatar: Data?

    public init(
        kind: Kind, senderName: String, senderIdentifiers: [String] = [], recipientNames: [String] = [],
        recipientCount: Int? = nil, groupName: String? = nil, conversationIdentifier: String? = nil,
        avatar: Data? = nil
    ) {
        self.kind = kind
        self.senderName = senderName
        self.senderIdentifiers = senderIdentifiers
        self.recipientNames = recipientNames
        self.recipientCount = recipientCount ?? recipientNames.count
        self.groupName = groupName
        self.conversationIdentifier = conversationIdentifier
        self.avatar = avatar
    }

    /// The group's name, or else a text with its members, such as "To you & 3 others"; `nil` for a conversation of two
    /// people.
    public var groupTitle: String? {
        guard recipientCount > 0 else { return nil }
        if let groupName, !groupName.isEmpty { return groupName }
        if recipientCount == 1, let name = recipientNames.first { return "To you & \(name)" }
        return "To you & \(recipientCount) others"
    }
}

/// A system object that can add communication details to a notification's content.
@_spi(Simulation) public protocol CommunicationProvider: UNNotificationContentProviding {
    /// The sender and the recipients; `nil` if the sender is unknown.
    var communication: Communication? { get }
}

extension UNNotificationContent {
    /// The sender and the recipients of a communication notification; `nil` for any other notification.
    @_spi(Simulation) public var communication: Communication? { fields.communication }
}

/// A message or a call that an app donates, to tell the system with whom the person communicates.
@_spi(Simulation) public struct InteractionDonation: Sendable, Hashable {
    public var identifier: String
    public var groupIdentifier: String?
    public var isIncoming: Bool
    public var communication: Communication?

    public init(identifier: String, groupIdentifier: String?, isIncoming: Bool, communication: Communication?) {
        self.identifier = identifier
        self.groupIdentifier = groupIdentifier
        self.isIncoming = isIncoming
        self.communication = communication
    }
}
