import CarillonCore

/// The messages of an app that a list contains.
package struct MessageFilter: Sendable, Hashable {
    /// The states of the messages; empty for all.
    package var states: Set<MessageState> = []
    /// The least time of acceptance.
    package var since: Timestamp?
    /// The time before which the messages were accepted.
    package var before: Timestamp?
    /// A part of the messages' ids.
    package var idPart: String?
    /// A user to whose devices the messages went; messages to a condition or to everyone are left out.
    package var user: String?

    /// The kind of the messages' audience; `nil` for all.
    package var audience: AudienceKind?

    package init() {}
}

/// A kind of audience, as the parameter `audience` of `GET /v1/notifications` names it.
package enum AudienceKind: String, Sendable, Hashable, CaseIterable {
    /// Users or devices by their ids.
    case named
    case everyone
    /// Devices that meet a condition, and those that did not see a broadcast.
    case condition
}
