/// The text of a notification: a plain string, or a dictionary whose parts may name entries of the app's own strings.
public enum Alert: Sendable, Hashable {
    /// `"alert": "Breaking News!"`: the body.
    case text(String)
    /// `"alert": {"title": …, "body": …}`.
    case parts(Parts)

    public struct Parts: Sendable, Hashable {
        public var title: String?
        public var subtitle: String?
        public var body: String?
        public var launchImage: String?
        public var titleLocKey: String?
        public var titleLocArgs: [String]?
        public var subtitleLocKey: String?
        public var subtitleLocArgs: [String]?
        public var locKey: String?
        public var locArgs: [String]?
        public var unknown: [String: JSONValue]

        public init(
            title: String? = nil, subtitle: String? = nil, body: String? = nil, launchImage: String? = nil,
            titleLocKey: String? = nil, titleLocArgs: [String]? = nil, subtitleLocKey: String? = nil,
            subtitleLocArgs: [String]? = nil, locKey: String? = nil, locArgs: [String]? = nil,
            unknown: [String: JSONValue] = [:]
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

    public var title: String? { if case .parts(let parts) = self { parts.title } else { nil } }
    public var subtitle: String? { if case .parts(let parts) = self { parts.subtitle } else { nil } }
    public var body: String? {
        switch self {
        case .text(let body): body
        case .parts(let parts): parts.body
        }
    }

    init(json: JSONValue, path: String) throws(PayloadError) {
        if let text = json.stringValue {
            self = .text(text)
            return
        }
        guard case .object = json else {
            throw PayloadError(key: path, problem: "must be a string or a dictionary, not \(json.kind)")
        }
        var reader = try KeyReader(json, path: path)
        var parts = Parts()
        parts.title = try reader.takeString("title")
        parts.subtitle = try reader.takeString("subtitle")
        parts.body = try reader.takeString("body")
        parts.launchImage = try reader.takeString("launch-image")
        parts.titleLocKey = try reader.takeString("title-loc-key")
        parts.titleLocArgs = try reader.takeStrings("title-loc-args")
        parts.subtitleLocKey = try reader.takeString("subtitle-loc-key")
        parts.subtitleLocArgs = try reader.takeStrings("subtitle-loc-args")
        parts.locKey = try reader.takeString("loc-key")
        parts.locArgs = try reader.takeStrings("loc-args")
        parts.unknown = reader.rest
        self = .parts(parts)
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
