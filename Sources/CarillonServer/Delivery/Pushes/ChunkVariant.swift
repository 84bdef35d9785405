import CarillonCore

/// The content of a range-sent message for devices of one language.
///
/// One variant is made for all pushes of the message that are claimed together.
final class ChunkVariant {
    /// The key of a variant: the message's number, and the language.
    struct Name: Hashable {
        var message: Int64
        var language: String?
    }

    private let content: ClaimedContent
    /// One template for devices whose user has an unread count (`true`), one for other devices (`false`).
    private var templates: [Bool: PushTemplate] = [:]
    private let known: PushTemplates

    init(_ message: ClaimedMessage, _ known: PushTemplates) {
        content = ClaimedContent(message)
        self.known = known
    }

    /// Gives a push its content; the content is encoded for the first push of its kind.
    func fill(_ push: inout ClaimedDelivery) {
        push.content = content
        let hasUnread = push.unread != nil
        if templates[hasUnread] == nil { templates[hasUnread] = known.template(for: push) }
        push.template = templates[hasUnread]
    }
}
