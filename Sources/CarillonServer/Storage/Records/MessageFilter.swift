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

    package init() {}
}
