import CarillonApp
import Foundation

/// A piece of breaking news, from a push or from the inbox.
public struct NewsItem: Sendable, Hashable {
    /// The message's id, so that news is never listed twice.
    public var id: String
    /// The alert's title, or its text if it has none.
    public var title: String
    /// The alert's text, or its title if it has none.
    public var text: String
    /// The page with the full story, if there is one.
    public var link: URL?
    /// Whether the person has read it on no device yet.
    public var isUnread: Bool

    /// Makes a piece of news.
    ///
    /// - Parameters:
    ///   - id: the message's id.
    ///   - title: one line.
    ///   - text: the text below the title.
    ///   - link: the page with the full story, if there is one.
    ///   - isUnread: the default is `true`.
    public init(id: String, title: String, text: String, link: URL?, isUnread: Bool = true) {
        self.id = id
        self.title = title
        self.text = text
        self.link = link
        self.isUnread = isUnread
    }

    /// `nil` for a message without text.
    init?(_ message: Carillon.Message) {
        guard let text = message.title ?? message.body else { return nil }
        self.init(id: message.identifier, title: text, text: message.body ?? text, link: message.link)
    }

    init?(_ item: Carillon.InboxItem) {
        self.init(item.message)
        isUnread = !item.isRead
    }
}
