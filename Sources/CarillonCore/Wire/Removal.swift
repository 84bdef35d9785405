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

/// What an installation must know to be in step, answered to every contact: a registration, a batch of receipts,
/// `GET /v1/devices/{id}/sync`.
package struct SyncAnswer: Sendable, Hashable, Codable {
    /// The service's clock, since the phone's own may be wrong.
    package var now: Timestamp
    /// Messages that must not be on this phone's screen, and why; not yet confirmed by it.
    package var removals: [Removal]
    /// The number of the user's unread messages, which is the badge; absent when the installation has no user.
    package var unread: Int?
    /// The last eight hexadecimal digits of the device token to which the installation's pushes go.
    ///
    /// Where they are not those of the phone that asks, another phone registers as the same installation: a backup has
    /// brought its files there. Absent when there is no token.
    package var tokenEnd: String?

    /// What an installation must know.
    package init(now: Timestamp, removals: [Removal], unread: Int?, tokenEnd: String? = nil) {
        self.now = now
        self.removals = removals
        self.unread = unread
        self.tokenEnd = tokenEnd
    }

    private enum CodingKeys: String, CodingKey {
        case now, removals, unread
        case tokenEnd = "token_end"
    }
}
