/// Apple's own part of a payload, under the key `aps`. Names are Apple's.
///
/// Keys that Apple does not document, such as the `link_url` that the classic tutorial puts here, are kept in
/// ``unknown`` and written back. So is what belongs to push types that Carillon passes on unread (Live Activities).
public struct Aps: Sendable, Hashable {
    public var alert: Alert?
    /// The number on the app's icon: absent changes nothing, 0 removes it.
    public var badge: Int?
    public var sound: Sound?
    /// Groups notifications on the phone.
    public var threadID: String?
    /// Chooses the actions, by the identifier of a category that the app has declared.
    public var category: String?
    /// 1: wake the app in the background.
    public var contentAvailable: Bool
    /// 1: let the service extension change the notification before it is shown.
    public var mutableContent: Bool
    public var targetContentID: String?
    public var interruptionLevel: InterruptionLevel?
    /// 0…1; ranks the notification in a summary.
    public var relevanceScore: Double?
    public var filterCriteria: String?
    public var unknown: [String: JSONValue]

    public init(
        alert: Alert? = nil, badge: Int? = nil, sound: Sound? = nil, threadID: String? = nil, category: String? = nil,
        contentAvailable: Bool = false, mutableContent: Bool = false, targetContentID: String? = nil,
        interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil, filterCriteria: String? = nil,
        unknown: [String: JSONValue] = [:]
    ) {
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.threadID = threadID
        self.category = category
        self.contentAvailable = contentAvailable
        self.mutableContent = mutableContent
        self.targetContentID = targetContentID
        self.interruptionLevel = interruptionLevel
        self.relevanceScore = relevanceScore
        self.filterCriteria = filterCriteria
        self.unknown = unknown
    }

    /// Whether a person would notice it: text, a sound or a number on the icon.
    public var isVisible: Bool { alert != nil || badge != nil || sound != nil }

    /// Reads the value of the key `aps`.
    public init(json: JSONValue) throws(PayloadError) {
        var reader = try KeyReader(json, path: "aps")
        self.init()
        alert = try reader.take("alert") { (value, path) throws(PayloadError) in try Alert(json: value, path: path) }
        badge = try reader.takeBadge("badge")
        sound = try reader.take("sound") { (value, path) throws(PayloadError) in try Sound(json: value, path: path) }
        threadID = try reader.takeString("thread-id")
        category = try reader.takeString("category")
        contentAvailable = try reader.takeFlag("content-available")
        mutableContent = try reader.takeFlag("mutable-content")
        targetContentID = try reader.takeString("target-content-id")
        interruptionLevel = try reader.take("interruption-level") { (value, path) throws(PayloadError) in
            try InterruptionLevel(json: value, path: path)
        }
        relevanceScore = try reader.takeNumber("relevance-score", in: 0...1)
        filterCriteria = try reader.takeString("filter-criteria")
        unknown = reader.rest
    }

    public var json: JSONValue {
        var members = unknown
        members["alert"] = alert?.json
        members["badge"] = badge.map { .int(Int64($0)) }
        members["sound"] = sound?.json
        members["thread-id"] = threadID.map(JSONValue.string)
        members["category"] = category.map(JSONValue.string)
        if contentAvailable { members["content-available"] = 1 }
        if mutableContent { members["mutable-content"] = 1 }
        members["target-content-id"] = targetContentID.map(JSONValue.string)
        members["interruption-level"] = interruptionLevel.map { .string($0.rawValue) }
        members["relevance-score"] = relevanceScore.map(JSONValue.double)
        members["filter-criteria"] = filterCriteria.map(JSONValue.string)
        return .object(members)
    }
}

/// How much a notification may disturb
/// ([interruptionLevel](https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel)).
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable, Codable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    init(json: JSONValue, path: String) throws(PayloadError) {
        guard let text = json.stringValue, let level = Self(rawValue: text) else {
            throw PayloadError(key: path, problem: "must be one of passive, active, time-sensitive, critical")
        }
        self = level
    }
}
