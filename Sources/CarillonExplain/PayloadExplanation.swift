import CarillonCore
import Foundation

/// An explanation of a payload and of each of its keys: the mistakes that APNs finds, and the effects on a phone.
public struct PayloadExplanation: Sendable, Hashable, Codable {
    /// A rating: whether a key has the effect that the sender of the push expects.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// The key has its documented effect.
        case fine
        /// The key has no effect, or an unexpected one.
        case warning
        /// APNs rejects the push, or the phone drops it.
        case error
    }

    /// The explanation of one key, or of the payload as a whole.
    public struct Line: Sendable, Hashable, Codable {
        /// The key's path, such as `aps.alert.title`; empty for the payload as a whole.
        public var key: String
        /// The rating: whether the key has the effect that the sender of the push expects.
        public var severity: Severity
        /// The key's effect, as a sentence.
        public var meaning: String
    }

    /// The text of the notification that a phone shows if no service extension changes it.
    ///
    /// A localized text is represented by its localization key.
    public struct Text: Sendable, Hashable, Codable {
        /// The notification's title; empty if there is none.
        public var title: String
        /// The notification's subtitle; empty if there is none.
        public var subtitle: String
        /// The notification's body text; empty if there is none.
        public var body: String
    }

    /// The push type that the payload was explained for.
    public var pushType: PushType
    /// The size of the payload in bytes.
    public var byteCount: Int
    /// The largest payload that APNs accepts for the push type, in bytes: 4096, or 5120 for `voip`.
    public var byteLimit: Int
    /// APNs' reason for refusing the push, such as `PayloadEmpty`; `nil` if APNs accepts the push.
    public var reason: String?
    /// The text of the notification that a phone shows; `nil` if the phone shows no text.
    public var shown: Text?
    /// The effects that the person sees or the app notices, one sentence each.
    public var summary: [String]
    /// The explanations: first the mistakes in the push as a whole, then the keys of `aps`, then the sender's own keys in
    /// alphabetical order.
    ///
    /// If APNs refuses the push, no key has an effect, and there are lines for mistakes only.
    public var lines: [Line]

    /// Whether APNs accepts the payload and a phone can read it.
    public var isUsable: Bool { reason == nil && !lines.contains { $0.severity == .error } }

    /// Explains a payload.
    ///
    /// - Parameters:
    ///   - data: the JSON as it would be sent.
    ///   - pushType: the push type; `nil`, the default, chooses the type that fits: `mdm` for a payload with the key
    ///     `mdm`, `background` for a payload that shows nothing, otherwise `alert`.
    ///   - priority: the `apns-priority`; `nil`, the default, means a push without this header.
    ///   - isStrict: whether to report a breach of Apple's documentation as an error although APNs tolerates it. The
    ///     default is `false`.
    public init(of data: Data, pushType: PushType? = nil, priority: Int? = nil, isStrict: Bool = false) {
        let json = Result { try JSONValue(parsing: data) }
        let members = (try? json.get())?.members
        let type = pushType ?? PushType.fitting(members ?? [:])
        let verdict = PushVerdict(data, json, pushType: type, priority: priority, isStrict: isStrict)
        self.pushType = type
        byteCount = data.count
        byteLimit = type.rule.payloadByteLimit
        reason = verdict.reason?.rawValue
        lines = verdict.lines
        let reading = members.map { PayloadReading(members: $0, pushType: type) }
        if let reading { lines += reading.lines(without: verdict.lines.map(\.key)) }
        // The effects are explained only for a push that arrives.
        if let reason {
            summary = ["Nothing happens: APNs answers \(reason)."]
            lines.removeAll { $0.severity == .fine }
        } else if let reading, !verdict.isUnreadable {
            summary = reading.summary
            shown = reading.text
        } else {
            summary = ["Nothing happens: a phone cannot read this."]
        }
    }
}

extension PayloadExplanation.Line {
    static func fine(_ key: String, _ meaning: String) -> Self { Self(key: key, severity: .fine, meaning: meaning) }
    static func warning(_ key: String, _ meaning: String) -> Self {
        Self(key: key, severity: .warning, meaning: meaning)
    }
    static func error(_ key: String, _ meaning: String) -> Self { Self(key: key, severity: .error, meaning: meaning) }
}
