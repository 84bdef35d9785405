import CarillonCore
import Foundation

/// Explains a payload key by key: how APNs checks it, and how a phone treats it.
public struct PayloadExplanation: Sendable, Hashable, Codable {
    /// Whether a key has the effect that its sender wants.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// It has its documented effect.
        case fine
        /// It has no effect, or a surprising one.
        case warning
        /// APNs rejects the push, or the phone drops it.
        case error
    }

    /// One key of the payload.
    public struct Line: Sendable, Hashable, Codable {
        /// The path, such as `aps.alert.title`; empty for the payload as a whole.
        public var key: String
        /// Whether the key has the effect that its sender wants.
        public var severity: Severity
        /// The key's effect, as a sentence.
        public var meaning: String
    }

    /// The text that a phone shows, before any service extension; localization keys are not resolved.
    public struct Text: Sendable, Hashable, Codable {
        /// The title; empty if there is none.
        public var title: String
        /// The subtitle; empty if there is none.
        public var subtitle: String
        /// The body; empty if there is none.
        public var body: String
    }

    /// The push type that the payload was explained for.
    public var pushType: PushType
    /// The size of the payload in bytes.
    public var byteCount: Int
    /// The largest payload that APNs accepts for the push type, in bytes: 4096, or 5120 for `voip`.
    public var byteLimit: Int
    /// APNs' reason for refusing the push, such as `PayloadEmpty`; `nil` if APNs accepts it.
    public var reason: String?
    /// The text that a phone shows; `nil` if it shows none.
    public var shown: Text?
    /// The effects that the person sees or the app notices, one sentence each.
    public var summary: [String]
    /// One line for each key: the keys of `aps` first, then the sender's own in alphabetical order.
    ///
    /// If APNs refuses the push, no key has an effect, and there are lines for mistakes only.
    public var lines: [Line]

    /// Whether APNs accepts the payload and a phone can read it.
    public var isUsable: Bool { reason == nil && !lines.contains { $0.severity == .error } }

    /// Explains a payload.
    ///
    /// - Parameters:
    ///   - data: the JSON as it would be sent.
    ///   - pushType: `nil`, the default, chooses the type that fits: `mdm` for a payload with that key, `background` for a
    ///     payload that shows nothing, else `alert`.
    ///   - priority: the `apns-priority`; `nil`, the default, means a push without one.
    ///   - isStrict: whether a breach of Apple's documentation that APNs tolerates is an error. The default is `false`.
    public init(of data: Data, pushType: PushType? = nil, priority: Int? = nil, isStrict: Bool = false) {
        let json = Result { try JSONValue(parsing: data) }
        let members = (try? json.get())?.objectValue
        let type = pushType ?? PushType.fitting(members ?? [:])
        let verdict = PushVerdict(data, json, pushType: type, priority: priority, isStrict: isStrict)
        self.pushType = type
        byteCount = data.count
        byteLimit = type.rule.payloadByteLimit
        reason = verdict.reason?.rawValue
        lines = verdict.lines
        let reading = members.map { PayloadReading(members: $0, pushType: type) }
        if let reading { lines += reading.lines(without: verdict.lines.map(\.key)) }
        // The rest applies only to a push that arrives.
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
