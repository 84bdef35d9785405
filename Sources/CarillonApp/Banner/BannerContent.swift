import CarillonCore
import Foundation

/// What an in-app banner says, and where a tap on it leads.
public struct BannerContent: Sendable, Hashable {
    public enum Priority: Int, Sendable, Hashable, Comparable, CaseIterable, Codable {
        case low
        case normal
        case high

        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// A banner with the same id replaces the one that waits or is shown. For a message, its identifier: a recall
    /// takes the banner away too.
    public var id: String
    public var title: String
    public var body: String
    /// Waits behind what is shown now, but before what is less urgent. The default is `.normal`.
    public var priority: Priority
    /// Handed back with a tap.
    public var userInfo: [String: JSONValue]
    public var link: URL?

    public init(
        id: String, title: String, body: String, priority: Priority = .normal, userInfo: [String: JSONValue] = [:],
        link: URL? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.priority = priority
        self.userInfo = userInfo
        self.link = link
    }

    /// The banner of a message: its alert's title and body, its link.
    public init(_ message: AppMessage, priority: Priority = .normal) {
        self.init(
            id: message.identifier, title: message.title ?? "", body: message.body ?? "", priority: priority,
            userInfo: message.userInfo, link: message.link)
    }

    /// What VoiceOver says.
    public var spoken: String { [title, body].filter { !$0.isEmpty }.joined(separator: ". ") }
}
