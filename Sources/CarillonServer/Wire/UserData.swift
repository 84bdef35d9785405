import CarillonCore

/// A page of what the service keeps of a user by name: the answer of `GET /v1/users/{id}`.
///
/// It is what an erasure removes, but for the feed of events, which tells nothing else.
package struct UserData: Sendable, Hashable, Encodable {
    package var user: String
    /// The messages that name the user, in the order in which the service first accepted them.
    package var messages: [Message]
    /// The value of `?after=` for the next page; absent on the last page.
    package var next: String?

    /// One message, as the user got it.
    package struct Message: Sendable, Hashable, Encodable {
        package var id: MessageID
        package var acceptedAt: Timestamp
        package var revision: Int
        package var until: Timestamp?
        /// The backend's payload, in the language of a device of the user and with the user's values for its variables.
        package var payload: Payload
        /// Whether the message is in the user's inbox, which also has those that were recalled or have expired.
        package var isInInbox: Bool
        /// The time at which the user has read the message; absent while it is unread.
        package var readAt: Timestamp?
        /// The timelines of the installations on which the message was for this user, with the replies that the user typed.
        package var devices: [Device]

        private enum CodingKeys: String, CodingKey {
            case id, revision, until, payload, devices
            case acceptedAt = "accepted_at"
            case isInInbox = "in_inbox"
            case readAt = "read_at"
        }
    }

    /// The events of a message on one installation.
    package struct Device: Sendable, Hashable, Encodable {
        package var device: String
        package var events: [TimelineEvent]
    }
}
