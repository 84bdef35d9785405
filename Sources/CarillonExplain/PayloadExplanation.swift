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

    /// The push type that the payload was explained for.
    public var pushType: PushType
    /// The size of the payload, bytes.
    public var byteCount: Int
    /// The most that APNs takes for the push type, bytes: 4096, or 5120 for `voip`.
    public var byteLimit: Int
    /// The effects that a person would see and the app would notice, one sentence each.
    public var summary: [String]
    /// One line a key: those of `aps` first, then the sender's in alphabetical order.
    public var lines: [Line]

    /// Whether APNs takes it and the phone can read it.
    public var isUsable: Bool { !lines.contains { $0.severity == .error } }

    /// Explains a payload.
    ///
    /// - Parameters:
    ///   - data: the JSON as it would be sent.
    ///   - pushType: `nil`, the default, is the one that fits: `background` for what shows nothing, else `alert`.
    ///   - priority: the `apns-priority`; `nil`, the default, is a push without one.
    public init(of data: Data, pushType: PushType? = nil, priority: Int? = nil) {
        guard let json = try? JSONValue(parsing: data), let members = json.objectValue else {
            self.init(unreadable: data, pushType ?? .alert)
            return
        }
        let aps = members["aps"]?.objectValue ?? [:]
        let type = pushType ?? PayloadReading.fittingType(aps)
        let reading = PayloadReading(members: members, aps: aps, pushType: type)
        self.init(
            pushType: type, byteCount: data.count, byteLimit: type.payloadByteLimit, summary: reading.summary,
            lines: reading.lines)
        if byteCount > byteLimit {
            lines.insert(
                Line(
                    key: "", severity: .error,
                    meaning: "The payload has \(byteCount) bytes; APNs takes \(byteLimit): it answers PayloadTooLarge."),
                at: 0)
        }
        if let problem = priority.flatMap({ Self.problem(ofPriority: $0, type) }) {
            lines.insert(Line(key: "apns-priority", severity: .error, meaning: problem), at: 0)
        }
    }

    // developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns
    private static func problem(ofPriority priority: Int, _ type: PushType) -> String? {
        guard [1, 5, 10].contains(priority) else { return "It is 10, 5 or 1: APNs answers BadPriority." }
        guard type == .background, priority == 10 else { return nil }
        return "10 is an error for a background push: APNs answers BadPriority. Use 5 or 1."
    }

    private init(unreadable data: Data, _ pushType: PushType) {
        let problem: String
        do {
            let json = try JSONValue(parsing: data)
            problem = "The payload is \(json.kind), not an object."
        } catch {
            problem = "This is \(error)"
        }
        self.init(
            pushType: pushType, byteCount: data.count, byteLimit: pushType.payloadByteLimit,
            summary: ["Nothing happens: a phone cannot read this."],
            lines: [Line(key: "", severity: .error, meaning: problem)])
    }

    init(pushType: PushType, byteCount: Int, byteLimit: Int, summary: [String], lines: [Line]) {
        self.pushType = pushType
        self.byteCount = byteCount
        self.byteLimit = byteLimit
        self.summary = summary
        self.lines = lines
    }
}
