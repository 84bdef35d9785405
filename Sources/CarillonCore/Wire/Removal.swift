/// A message that must leave a phone's screen: which one, up to which revision, and why.
///
/// In JSON it is one short text, because it counts against a push's 4096 bytes: `<id>`, `<id>:<revision>` or
/// `<id>:<revision>:<reason>`. What is left out is revision 1 and ``Reason/recall``.
public struct Removal: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The sender has taken it back.
        case recall
        /// The person has read it on another device, or the backend says so.
        case read
        /// The person has signed out of this device.
        case signOut = "sign-out"
    }

    public var message: MessageID
    /// This revision and those before it; a later one is another message to the phone.
    public var revision: Int
    public var reason: Reason

    public init(_ message: MessageID, revision: Int = 1, reason: Reason = .recall) {
        self.message = message
        self.revision = revision
        self.reason = reason
    }

    /// - Returns: `nil` when the id is none. A revision that is no number counts as 1, and a reason that this version
    ///   does not know as a recall: the message goes, whatever a newer service calls it.
    public init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first, let message = try? MessageID(String(first)) else { return nil }
        self.init(
            message, revision: parts.count > 1 ? Int(parts[1]) ?? 1 : 1,
            reason: parts.count > 2 ? Reason(rawValue: String(parts[2])) ?? .recall : .recall)
    }

    public var text: String {
        if reason != .recall { return "\(message):\(revision):\(reason.rawValue)" }
        return revision == 1 ? message.rawValue : "\(message):\(revision)"
    }
}

extension Removal: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let removal = Removal(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a removal begins with a message's id")
        }
        self = removal
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
