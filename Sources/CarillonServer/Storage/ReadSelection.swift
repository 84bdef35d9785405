import CarillonCore

/// Which messages of a user have been read.
package enum ReadSelection: Sendable, Hashable {
    case messages([MessageID])
    /// As long as no newer revision has come since.
    case revisions([MessageRevision])
    /// Everything accepted until then.
    case upTo(Timestamp)
}
