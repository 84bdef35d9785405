import CarillonApp
import Foundation

/// A piece of breaking news. It comes as a push; there is nothing else to fetch.
public struct NewsItem: Sendable, Hashable {
    /// The message's id, so that the same news is never listed twice.
    public var id: String
    public var title: String
    public var text: String
    public var link: URL?
    /// Whether the person has not read it anywhere yet.
    public var isUnread: Bool

    public init(id: String, title: String, text: String, link: URL?, isUnread: Bool = true) {
        self.id = id
        self.title = title
        self.text = text
        self.link = link
        self.isUnread = isUnread
    }

    /// `nil` for a message without text.
    init?(_ message: AppMessage) {
        guard let text = message.title ?? message.body else { return nil }
        self.init(id: message.identifier, title: text, text: message.body ?? text, link: message.link)
    }

    init?(_ item: InboxItem) {
        self.init(item.message)
        isUnread = !item.isRead
    }
}
