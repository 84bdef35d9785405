/// A message that must leave a phone's screen: which one, up to which revision, and why.
///
/// In JSON it is one short text, because it counts against a push's 4096 bytes: `<id>`, `<id>:<revision>` or
/// `<id>:<revision>:<reason>`. What is left out is revision 1 and ``Reason/recall``.
package struct Removal: Sendable, Hashable {
    /// Why a message must leave the screen.
    package enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The sender has taken it back.
        case recall
        /// The person has read it on another device, or the backend says so.
        case read
        /// The person has signed out of this device.
        case signOut = "sign-out"
        /// The message with this id is for somebody else now.
        case replaced
        /// Its `until` has passed.
        case expired
    }

    /// The message's id.
    package var message: MessageID
    /// This revision and those before it; a later one is another message to the phone.
    package var revision: Int
    /// Why; for the app and for the timeline.
    package var reason: Reason

    /// A removal of one message.
    ///
    /// - Parameters:
    ///   - message: the message's id.
    ///   - revision: this one and those before it. The default is 1.
    ///   - reason: the default is a recall by the sender.
    package init(_ message: MessageID, revision: Int = 1, reason: Reason = .recall) {
        self.message = message
        self.revision = revision
        self.reason = reason
    }

    /// Reads what ``text`` writes; `nil` when it begins with no id.
    ///
    /// A revision that is no number counts as 1, and a reason that this version does not know as a recall: the message
    /// goes, whatever a newer service calls it.
    ///
    /// - Parameter text: `<id>`, `<id>:<revision>` or `<id>:<revision>:<reason>`.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first, let message = try? MessageID(String(first)) else { return nil }
        self.init(
            message, revision: parts.count > 1 ? Int(parts[1]) ?? 1 : 1,
            reason: parts.count > 2 ? Reason(rawValue: String(parts[2])) ?? .recall : .recall)
    }

    /// `<id>`, `<id>:<revision>` or `<id>:<revision>:<reason>`, as short as it can be.
    package var text: String {
        if reason != .recall { return "\(message):\(revision):\(reason.rawValue)" }
        return revision == 1 ? message.rawValue : "\(message):\(revision)"
    }
}

extension Removal: Codable {
    /// Reads a single string.
    ///
    /// - Parameter decoder: what is read from.
    /// - Throws: `DecodingError` when the text begins with no id.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let removal = Removal(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a removal begins with a message's id")
        }
        self = removal
    }

    /// Writes ``text`` as a single string.
    ///
    /// - Parameter encoder: what is written to.
    /// - Throws: what the encoder throws.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
