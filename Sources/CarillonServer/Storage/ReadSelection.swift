import CarillonCore

/// A selection of a user's messages to mark as read.
package enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// Messages that have no newer revision than the given one.
    case revisions([MessageRevision])
    /// All messages accepted up to this time.
    case upTo(Timestamp)
}
