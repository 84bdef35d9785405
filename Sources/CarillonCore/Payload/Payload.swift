import Foundation

/// What a push carries: Apple's `aps` dictionary, typed, and the sender's own keys beside it.
///
/// Reading is forgiving where iOS is (unknown keys are kept, in `aps` too) and strict where a mistake would be
/// invisible (a `badge` that is a string): a ``PayloadError`` names the key. See
/// [Generating a remote notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
public struct Payload: Sendable, Hashable {
    /// Apple's own keys.
    public var aps: Aps

    /// Every key beside `aps`, as it came.
    public var custom: [String: JSONValue]

    /// A payload with these keys.
    ///
    /// - Parameters:
    ///   - aps: Apple's own keys. The default is none, which APNs refuses (PayloadEmpty).
    ///   - custom: the sender's keys. The default is none.
    public init(aps: Aps = Aps(), custom: [String: JSONValue] = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads a payload; a missing `aps` is an empty one, which a phone accepts and APNs does not.
    ///
    /// - Parameter json: an object.
    /// - Throws: ``PayloadError``, which names the key at fault.
    public init(json: JSONValue) throws(PayloadError) {
        guard case .object(let members) = json else {
            throw PayloadError(key: "", problem: "the payload is \(json.kind), not an object")
        }
        guard let aps = members["aps"] else {
            self.init(custom: members)
            return
        }
        self.init(aps: try Aps(json: aps), custom: members.count == 1 ? [:] : members.filter { $0.key != "aps" })
    }

    /// The payload as an object.
    public var json: JSONValue {
        var members = custom
        members["aps"] = aps.json
        return .object(members)
    }

    /// The bytes that APNs takes: compact JSON, UTF-8, keys sorted.
    ///
    /// - Returns: the bytes, whatever their number; ``validated(for:)`` checks that.
    /// - Throws: `EncodingError` for a number that JSON cannot express (infinity, not-a-number).
    public func encoded() throws -> Data { try json.encoded() }
}

extension Payload: Codable {
    /// Reads a payload from JSON.
    ///
    /// - Parameter decoder: what is read from.
    /// - Throws: `DecodingError`, whose description is that of the ``PayloadError``.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(json: try JSONValue(from: decoder))
        } catch let error as PayloadError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description))
        }
    }

    /// Writes ``json``.
    ///
    /// - Parameter encoder: what is written to.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}
