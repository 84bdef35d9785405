import CarillonCore

/// A notification that the SDK makes itself, out of a silent push: a value that any thread can decide about.
///
/// Its ``identifier`` is the message's id, so that a later push with the same `apns-collapse-id` replaces it, and a
/// recall finds it, exactly as for a notification that iOS made.
public struct LocalNotification: Sendable, Hashable {
    /// A text as it is, or an entry of the app's own strings with its arguments.
    public enum Text: Sendable, Hashable {
        case literal(String)
        case key(String, arguments: [String])
    }

    public var identifier: String
    public var title: Text?
    public var subtitle: Text?
    public var body: Text?
    public var sound: Sound?
    /// The number on the icon: `nil` changes nothing, 0 removes it.
    public var badge: Int?
    public var threadID: String?
    public var category: String?
    public var targetContentID: String?
    public var interruptionLevel: InterruptionLevel?
    public var relevanceScore: Double?
    /// What the app finds in `content.userInfo`: the push, with the notification's own `aps` in the place of the
    /// silent one, so that a tap looks the same whichever way the message came.
    public var userInfo: [String: JSONValue]

    public init(identifier: String, aps: Aps, userInfo: [String: JSONValue]) {
        self.identifier = identifier
        badge = aps.badge
        sound = aps.sound
        threadID = aps.threadID
        category = aps.category
        targetContentID = aps.targetContentID
        interruptionLevel = aps.interruptionLevel
        relevanceScore = aps.relevanceScore
        self.userInfo = userInfo
        switch aps.alert {
        case nil: break
        case .text(let text): body = .literal(text)
        case .parts(let parts):
            title = Self.text(parts.title, key: parts.titleLocKey, arguments: parts.titleLocArgs)
            subtitle = Self.text(parts.subtitle, key: parts.subtitleLocKey, arguments: parts.subtitleLocArgs)
            body = Self.text(parts.body, key: parts.locKey, arguments: parts.locArgs)
        }
    }

    /// Whether a person could read anything; iOS refuses to show a notification without text.
    public var hasText: Bool { title != nil || subtitle != nil || body != nil }

    /// Makes it arrive without a banner and without a sound: what a second delivery of a known message becomes.
    public func quietened() -> Self {
        var quiet = self
        quiet.interruptionLevel = .passive
        quiet.sound = nil
        return quiet
    }

    private static func text(_ literal: String?, key: String?, arguments: [String]?) -> Text? {
        if let key { return .key(key, arguments: arguments ?? []) }
        return literal.map(Text.literal)
    }
}
