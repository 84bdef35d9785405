/// The id of a message, used in Carillon's API, in `apns-collapse-id`, and as the notification's `request.identifier`.
///
/// An id has 1–64 bytes of `[A-Za-z0-9._-]`. Apple limits a collapse id to 64 bytes ([Sending notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)), and these
/// characters need no escaping in a URL, a header or a log line.
public struct MessageID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The greatest size of an id, in bytes: 64.
    public static let byteLimit = 64

    /// The id as text.
    public let rawValue: String
    /// The id as text, as in ``rawValue``.
    public var description: String { rawValue }

    /// Makes an id from a text.
    ///
    /// - Parameter text: 1–64 bytes of `[A-Za-z0-9._-]`.
    /// - Throws: ``InvalidMessageID``, which describes the mistake in `text`.
    public init(_ text: String) throws(InvalidMessageID) {
        guard !text.isEmpty else { throw InvalidMessageID(description: "a message id must not be empty") }
        guard text.utf8.count <= Self.byteLimit else {
            throw InvalidMessageID(
                description: "a message id has at most \(Self.byteLimit) bytes; this one has \(text.utf8.count)")
        }
        guard text.utf8.allSatisfy(Self.isAllowed) else {
            throw InvalidMessageID(description: "a message id is made of A–Z, a–z, 0–9, '.', '_' and '-' only")
        }
        rawValue = text
    }

    /// Orders ids by their text.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

extension MessageID: Codable {
    /// Reads a single string.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` if the text is not a valid id; the error's description gives the reason.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            try self.init(try container.decode(String.self))
        } catch let error as InvalidMessageID {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.description)
        }
    }

    /// Writes ``rawValue`` as a single string.
    ///
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

/// The reason why a text cannot be a ``MessageID``.
public struct InvalidMessageID: Error, Sendable, Hashable, CustomStringConvertible {
    /// A description of the mistake in the text, such as "a message id must not be empty".
    public let description: String
}
