import CarillonCore

/// What the devices of one language get of a message that is sent by ranges: made once for all that are claimed together.
struct ChunkVariant {
    /// Names a variant: the message's number, and the language.
    struct Name: Hashable {
        var message: Int64
        var language: String?
    }

    var message: ClaimedMessage
    /// For devices whose user has an unread count, and for others.
    var templates: [Bool: PushTemplate] = [:]
}
