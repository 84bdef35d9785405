/// The text of a notification: a plain string, or a dictionary whose members may be keys of the app's localized strings.
///
/// The keys are those of Apple's table "Keys to include in the alert dictionary": [Generating a remote
/// notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
public enum Alert: Sendable, Hashable {
    /// A plain string, which is the body, as in `"alert": "Breaking News!"`.
    case text(String)
    /// A dictionary, as in `"alert": {"title": …, "body": …}`.
    case parts(Parts)

    /// The members of an alert dictionary; `nil` for an absent key.
    public struct Parts: Sendable, Hashable {
        /// `title`: the first line of the notification; `nil` if the key is absent.
        public var title: String?
        /// `subtitle`: a second line below the title; `nil` if the key is absent.
        public var subtitle: String?
        /// `body`: the message itself; `nil` if the key is absent.
        public var body: String?
        /// `launch-image`: the launch image or storyboard to show when a tap starts the app; `nil` if the key is
        /// absent.
        public var launchImage: String?
        /// `title-loc-key`: the key of the title in the app's Localizable.strings, instead of ``title``; `nil` if the
        /// key is absent.
        public var titleLocKey: String?
        /// `title-loc-args`: the texts for the placeholders of the localized title, in order; `nil` if the key is
        /// absent.
        public var titleLocArgs: [String]?
        /// `subtitle-loc-key`: the key of the subtitle in the app's Localizable.strings; `nil` if the key is absent.
        public var subtitleLocKey: String?
        /// `subtitle-loc-args`: the texts for the placeholders of the localized subtitle, in order; `nil` if the key is
        /// absent.
        public var subtitleLocArgs: [String]?
        /// `loc-key`: the key of the body in the app's Localizable.strings; `nil` if the key is absent.
        public var locKey: String?
        /// `loc-args`: the texts for the placeholders of the localized body, in order; `nil` if the key is absent.
        public var locArgs: [String]?
        /// The members that Apple does not document, unchanged.
        public var unknown: JSONObject

        /// Makes an alert dictionary; every member may be omitted.
        public init(
            title: String? = nil, subtitle: String? = nil, body: String? = nil, launchImage: String? = nil,
            titleLocKey: String? = nil, titleLocArgs: [String]? = nil, subtitleLocKey: String? = nil,
            subtitleLocArgs: [String]? = nil, locKey: String? = nil, locArgs: [String]? = nil,
            unknown: JSONObject = [:]
        ) {
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.launchImage = launchImage
            self.titleLocKey = titleLocKey
            self.titleLocArgs = titleLocArgs
            self.subtitleLocKey = subtitleLocKey
            self.subtitleLocArgs = subtitleLocArgs
            self.locKey = locKey
            self.locArgs = locArgs
            self.unknown = unknown
        }
    }

    /// The title in the push itself; `nil` for a plain text or a localized title.
    public var title: String? { if case .parts(let parts) = self { parts.title } else { nil } }
    /// The subtitle in the push itself; `nil` for a plain text or a localized subtitle.
    public var subtitle: String? { if case .parts(let parts) = self { parts.subtitle } else { nil } }
    /// The body in the push itself; `nil` for a localized body.
    public var body: String? {
        switch self {
        case .text(let body): body
        case .parts(let parts): parts.body
        }
    }

    /// Whether the alert has any text, literal or localized.
    package var hasText: Bool {
        func isText(_ text: String?) -> Bool { text?.isEmpty == false }
        return switch self {
        case .text(let body): isText(body)
        case .parts(let parts):
            isText(parts.title) || isText(parts.subtitle) || isText(parts.body) || isText(parts.titleLocKey)
                || isText(parts.subtitleLocKey) || isText(parts.locKey)
        }
    }

    /// Reads an alert from a string or a dictionary as a phone does.
    ///
    /// The second value has an error for each key that the phone ignores because its value is invalid.
    static func read(_ json: JSONValue) -> (Alert, ignored: [PayloadError]) {
        if let text = json.stringValue { return (.text(text), []) }
        var reader = KeyReader(json.members ?? [:])
        var parts = Parts()
        parts.title = reader.takeText(.title)
        parts.subtitle = reader.takeText(.subtitle)
        parts.body = reader.takeText(.body)
        parts.launchImage = reader.takeText(.launchImage)
        parts.titleLocKey = reader.takeText(.titleLocKey)
        parts.titleLocArgs = reader.takeTexts(.titleLocArgs)
        parts.subtitleLocKey = reader.takeText(.subtitleLocKey)
        parts.subtitleLocArgs = reader.takeTexts(.subtitleLocArgs)
        parts.locKey = reader.takeText(.locKey)
        parts.locArgs = reader.takeTexts(.locArgs)
        parts.unknown = reader.rest
        return (.parts(parts), reader.ignored)
    }

    var json: JSONValue {
        guard case .parts(let parts) = self else { return .string(body ?? "") }
        var members = parts.unknown
        members["title"] = parts.title.map(JSONValue.string)
        members["subtitle"] = parts.subtitle.map(JSONValue.string)
        members["body"] = parts.body.map(JSONValue.string)
        members["launch-image"] = parts.launchImage.map(JSONValue.string)
        members["title-loc-key"] = parts.titleLocKey.map(JSONValue.string)
        members["title-loc-args"] = parts.titleLocArgs.map(Self.strings)
        members["subtitle-loc-key"] = parts.subtitleLocKey.map(JSONValue.string)
        members["subtitle-loc-args"] = parts.subtitleLocArgs.map(Self.strings)
        members["loc-key"] = parts.locKey.map(JSONValue.string)
        members["loc-args"] = parts.locArgs.map(Self.strings)
        return .object(members)
    }

    private static func strings(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}
