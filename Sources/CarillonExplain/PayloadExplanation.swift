import CarillonCore
import Foundation

/// Explains a payload key by key: how APNs checks it, and how a phone treats it.
public struct PayloadExplanation: Sendable, Hashable, Codable {
    /// Whether a key does what its sender wants.
    public enum Severity: String, Sendable, Hashable, Codable {
        /// Does what it says.
        case fine
        /// Has no effect, or one that surprises.
        case warning
        /// APNs rejects the push, or the phone drops it.
        case error
    }

    /// One key of the payload.
    public struct Line: Sendable, Hashable, Codable {
        /// The path, such as `aps.alert.title`; empty for the payload as a whole.
        public var key: String
        /// Whether it does what its sender wants.
        public var severity: Severity
        /// Its effect, as a sentence.
        public var meaning: String
    }

    /// The text that a phone shows: without the app's own strings, and as it is before any service extension.
    public struct Text: Sendable, Hashable, Codable {
        /// The title; empty without one.
        public var title: String
        /// The subtitle; empty without one.
        public var subtitle: String
        /// The text; empty without one.
        public var body: String
    }

    /// The push type that the payload was explained for.
    public var pushType: PushType
    /// The size of the payload, bytes.
    public var byteCount: Int
    /// The most that APNs takes for the push type, bytes: 4096, or 5120 for `voip`.
    public var byteLimit: Int
    /// The reason for which APNs refuses the push, such as `PayloadEmpty`; `nil` if it takes it.
    public var reason: String?
    /// The text that a phone shows; `nil` if it shows none.
    public var shown: Text?
    /// The effects that a person would see and the app would notice, one sentence each.
    public var summary: [String]
    /// One line a key: those of `aps` first, then the sender's in alphabetical order.
    public var lines: [Line]

    /// Whether APNs takes it and the phone can read it.
    public var isUsable: Bool { reason == nil && !lines.contains { $0.severity == .error } }

    /// Explains a payload.
    ///
    /// - Parameters:
    ///   - data: the JSON as it would be sent.
    ///   - pushType: `nil`, the default, is the one that fits: `background` for what shows nothing, `mdm` for a payload with
    ///     that key, else `alert`.
    ///   - priority: the `apns-priority`; `nil`, the default, is a push without one.
    ///   - isStrict: whether a breach of Apple's documents that APNs tolerates is an error. The default is `false`.
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
        // All that follows is of a push that arrives.
        if let reason {
            summary = ["Nothing happens: APNs answers \(reason)."]
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
