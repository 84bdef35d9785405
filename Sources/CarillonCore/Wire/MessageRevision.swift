/// One revision of a message; in JSON the text `<id>`, or `<id>:<revision>` from the second revision on.
package struct MessageRevision: Sendable, Hashable {
    /// The message's id.
    package var message: MessageID
    /// The revision's number: 1 for the first sending of the id, one more for each replacement.
    package var revision: Int

    /// Makes a revision of a message, by default the first.
    package init(_ message: MessageID, revision: Int = 1) {
        self.message = message
        self.revision = revision
    }

    /// Reads a message's revision from the text `<id>` or `<id>:<revision>`.
    ///
    /// The result is `nil` if `<id>` is not a valid message id, or if `<revision>` is not a number of 1 or more.
    package init?(text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let message = try? MessageID(String(first)) else { return nil }
        guard parts.count > 1 else {
            self.init(message)
            return
        }
        guard let revision = Int(parts[1]), revision >= 1 else { return nil }
        self.init(message, revision: revision)
    }

    /// The text `<id>`, or `<id>:<revision>` from the second revision on.
    package var text: String { revision == 1 ? message.rawValue : "\(message):\(revision)" }
}

extension MessageRevision: Codable {
    /// Decodes a revision from a single string: `<id>` or `<id>:<revision>`.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = MessageRevision(text: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "is no id, or id:revision")
        }
        self = value
    }

    /// Encodes the revision as a single string: ``text``.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
