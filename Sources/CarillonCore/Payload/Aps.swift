/// Apple's own part of a payload, under the key `aps`.
///
/// The names are Apple's, from the table "Keys to include in the aps dictionary" of [Generating a remote
/// notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification). Keys that Apple
/// does not document, such as a sender's own `link_url` inside `aps`, are kept in ``unknown`` and written back. The keys of
/// push types that Carillon does not interpret (Live Activities) are also kept there.
public struct Aps: Sendable, Hashable {
    /// `alert`: the text; absent in a push without text.
    public var alert: Alert?
    /// `badge`: the number on the app's icon, 0 or more; 0 removes the number, and an absent key does not change it.
    public var badge: Int?
    /// `sound`: the sound to play; if the key is absent, iOS plays no sound.
    public var sound: Sound?
    /// `thread-id`: the thread under which the phone groups notifications; `nil` if the key is absent.
    public var threadID: String?
    /// `category`: the identifier of a category that the app has declared; `nil` if the key is absent.
    ///
    /// The category determines the notification's actions.
    public var category: String?
    /// `content-available`: whether to wake the app in the background; in JSON, 1 stands for `true`, and an absent key for
    /// `false`.
    public var contentAvailable: Bool
    /// `mutable-content`: whether the service extension may change the notification before it is shown; in JSON, 1 stands for
    /// `true`, and an absent key for `false`.
    public var mutableContent: Bool
    /// `target-content-id`: the window to bring forward when the notification is opened; `nil` if the key is absent.
    public var targetContentID: String?
    /// `interruption-level`: how much the notification may interrupt the person; an absent key means
    /// ``InterruptionLevel/active``.
    public var interruptionLevel: InterruptionLevel?
    /// `relevance-score`: 0–1; the notification with the highest score leads the summary; `nil` if the key is absent.
    public var relevanceScore: Double?
    /// `filter-criteria`: a value by which a Focus filter of the app decides whether to show the notification; `nil` if
    /// the key is absent.
    public var filterCriteria: String?
    /// The keys of `aps` for which this type has no property, unchanged.
    public var unknown: JSONObject

    /// Makes an `aps` dictionary; every key may be omitted.
    public init(
        alert: Alert? = nil, badge: Int? = nil, sound: Sound? = nil, threadID: String? = nil, category: String? = nil,
        contentAvailable: Bool = false, mutableContent: Bool = false, targetContentID: String? = nil,
        interruptionLevel: InterruptionLevel? = nil, relevanceScore: Double? = nil, filterCriteria: String? = nil,
        unknown: JSONObject = [:]
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

    /// Whether a person would notice the push, because it has text, a sound or a badge.
    public var isVisible: Bool { alert?.hasText == true || badge != nil || sound != nil }

    /// Reads the value of the key `aps`.
    ///
    /// - Parameter json: an object; `true` for a flag counts as 1, as on iOS.
    /// - Throws: ``PayloadError`` for a known key with a value of the wrong type or out of its range.
    public init(json: JSONValue) throws(PayloadError) {
        guard case .object(let members) = json else {
            throw PayloadError(key: "aps", problem: "must be a dictionary, not \(json.kind)")
        }
        let (aps, ignored) = Self.read(members)
        if let mistake = ignored.first { throw mistake }
        self = aps
    }

    /// Reads the members of `aps` as a phone does: a key with an invalid value counts as absent.
    ///
    /// - Parameter members: the members.
    /// - Returns: the valid keys, and an error for each invalid key.
    package static func read(_ members: JSONObject) -> (Aps, ignored: [PayloadError]) {
        var reader = KeyReader(members)
        var aps = Aps()
        aps.alert = reader.take(.alert, Alert.read)
        aps.badge = reader.take(.badge)?.intValue
        aps.sound = reader.take(.sound, Sound.read)
        aps.threadID = reader.takeText(.threadID)
        aps.category = reader.takeText(.category)
        aps.contentAvailable = reader.takeFlag(.contentAvailable)
        aps.mutableContent = reader.takeFlag(.mutableContent)
        aps.targetContentID = reader.takeText(.targetContentID)
        aps.interruptionLevel = reader.takeText(.interruptionLevel).flatMap(InterruptionLevel.init(rawValue:))
        aps.relevanceScore = reader.take(.relevanceScore)?.doubleValue
        aps.filterCriteria = reader.takeText(.filterCriteria)
        aps.unknown = reader.rest
        return (aps, reader.ignored)
    }

    /// The value of the payload's key `aps`: an object without keys for properties that are `nil` or `false`.
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

/// `interruption-level`: how much a notification may interrupt the person.
///
/// See
/// [UNNotificationInterruptionLevel](https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel).
public enum InterruptionLevel: String, Sendable, Hashable, CaseIterable, Codable {
    /// The notification goes to the notification list without lighting up the screen or playing a sound.
    case passive
    /// The notification lights up the screen and may play a sound; this is iOS's default if the key is absent.
    case active
    /// The notification breaks through Focus and scheduled summaries; the app needs the entitlement for time-sensitive
    /// notifications.
    case timeSensitive = "time-sensitive"
    /// The notification breaks through the mute switch too; the app needs the entitlement for critical alerts.
    case critical
}

/// The sound of a notification: a file in the app (or `default`), or a dictionary for a critical alert.
public enum Sound: Sendable, Hashable {
    /// A sound by its name, as in `"sound": "default"`.
    case named(String)
    /// The sound of a critical alert, as in `"sound": {"critical": 1, "name": "default", "volume": 0.5}`.
    ///
    /// The app needs the entitlement for critical alerts.
    ///
    /// - Parameters:
    ///   - name: a file in the app's bundle or in the folder `Library/Sounds` of the app's container, or `default`.
    ///   - volume: 0 (silent) to 1 (full).
    case critical(name: String, volume: Double)

    /// The system's default sound.
    public static let `default` = Sound.named("default")

    /// The name of a sound file in the app's bundle, or in the folder `Library/Sounds` of the app's container; `default` for
    /// the system's sound.
    public var name: String {
        switch self {
        case .named(let name), .critical(let name, _): name
        }
    }

    /// Reads a sound from a string or a dictionary as a phone does.
    ///
    /// The second value has an error for each key that the phone ignores because its value is invalid.
    static func read(_ json: JSONValue) -> (Sound, ignored: [PayloadError]) {
        if let name = json.stringValue { return (.named(name), []) }
        var reader = KeyReader(json.members ?? [:])
        let name = reader.takeText(.soundName) ?? "default"
        let volume = reader.take(.volume)?.doubleValue ?? 1
        let isCritical = reader.takeFlag(.critical)
        return (isCritical ? .critical(name: name, volume: volume) : .named(name), reader.ignored)
    }

    var json: JSONValue {
        switch self {
        case .named(let name): .string(name)
        case .critical(let name, let volume):
            .object(["critical": 1, "name": .string(name), "volume": .double(volume)])
        }
    }
}
