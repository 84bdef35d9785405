/// An instruction to remove one message from a phone's screen: its id, the newest revision to remove, and the reason.
///
/// In JSON, a removal is one short text, because it counts against a push's 4096 bytes: `<id>`, `<id>:<revision>` or
/// `<id>:<revision>:<reason>`. Omitted parts mean revision 1 and ``Reason/recall``.
package struct Removal: Sendable, Hashable {
    /// The reason why a message must leave the screen.
    package enum Reason: String, Sendable, Hashable, CaseIterable, Codable {
        /// The sender has recalled the message.
        case recall
        /// The person has read the message on another device, or the sender's backend has reported it as read.
        case read
        /// The person has signed out of this device.
        case signOut = "sign-out"
        /// The sender has replaced the message with a newer revision that is not for this device.
        case replaced
        /// The message's `until` has passed.
        case expired
    }

    /// The message's id.
    package var message: MessageID
    /// The newest revision to remove, together with all earlier ones; the phone keeps later revisions.
    package var revision: Int
    /// The reason, for the app and for the message's timeline at the service.
    package var reason: Reason

    /// Makes a removal of one message.
    ///
    /// - Parameters:
    ///   - message: the message's id.
    ///   - revision: the newest revision to remove, together with all earlier ones. The default is 1.
    ///   - reason: the reason. The default is a recall by the sender.
    package init(_ message: MessageID, revision: Int = 1, reason: Reason = .recall) {
        self.message = message
        self.revision = revision
        self.reason = reason
    }

    /// Reads a removal from its text; `nil` if the text does not begin with a message's id.
    ///
    /// An invalid revision counts as 1. An unknown reason counts as a recall, so that the message is removed even if a newer
    /// service names another reason.
    ///
    /// - Parameter text: `<id>`, `<id>:<revision>` or `<id>:<revision>:<reason>`.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard let first = parts.first, let message = try? MessageID(String(first)) else { return nil }
        self.init(
            message, revision: parts.count > 1 ? Int(parts[1]) ?? 1 : 1,
            reason: parts.count > 2 ? Reason(rawValue: String(parts[2])) ?? .recall : .recall)
    }

    /// The removal as text, with as few parts as possible: `<id>`, `<id>:<revision>` or `<id>:<revision>:<reason>`.
    ///
    /// The reason is omitted if it is ``Reason/recall``; in that case, revision 1 is omitted too.
    package var text: String {
        if reason != .recall { return "\(message):\(revision):\(reason.rawValue)" }
        return revision == 1 ? message.rawValue : "\(message):\(revision)"
    }
}

extension Removal: Codable {
    /// Decodes a removal from a single string: `<id>`, `<id>:<revision>` or `<id>:<revision>:<reason>`.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the string does not begin with a message's id.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let removal = Removal(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "a removal begins with a message's id")
        }
        self = removal
    }

    /// Encodes the removal as a single string: ``text``.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// The part of the service's answers that brings an installation up to date: removals, the badge and the service's time.
///
/// The service includes it in every answer to an installation: to a registration, to a batch of receipts, and to
/// `GET /v1/devices/{id}/sync`.
package struct SyncAnswer: Sendable, Hashable, Codable {
    /// The service's current time, because the phone's own clock may be wrong.
    package var now: Timestamp
    /// The removals that this phone has not confirmed yet; each asks the phone to remove one message.
    package var removals: [Removal]
    /// The number of the user's unread messages, which is the badge; absent if the installation has no user.
    package var unread: Int?
    /// The last eight hexadecimal digits of the device token that the service has for the installation; absent if it has none.
    ///
    /// If the phone's own token ends with other digits, two phones use this installation: one was restored from the other's
    /// backup.
    package var tokenEnd: String?
    /// The number of the newest request about this installation, if the answered one was older and has changed nothing.
    package var sequence: Int64?

    /// The header with the number of a request that registers, changes or signs out an installation.
    ///
    /// The numbers of an installation's requests increase, up to ``greatestSequence``. The service leaves a request undone that is older
    /// than another it has got, because a network may bring requests late.
    package static let sequenceHeader = "Carillon-Sequence"
    /// The greatest number of a request: 2⁴⁸, milliseconds that end in the year 10889.
    ///
    /// The service's store keeps no greater numbers.
    package static let greatestSequence: Int64 = 1 << 48

    /// Makes the part of an answer that brings an installation up to date.
    package init(now: Timestamp, removals: [Removal], unread: Int?, tokenEnd: String? = nil) {
        self.now = now
        self.removals = removals
        self.unread = unread
        self.tokenEnd = tokenEnd
    }

    private enum CodingKeys: String, CodingKey {
        case now, removals, unread, sequence
        case tokenEnd = "token_end"
    }
}
