import Foundation

/// What a push carries: Apple's `aps` dictionary, typed, and the sender's own keys beside it.
///
/// Reading is forgiving where iOS is (unknown keys are kept, in `aps` too) and strict where a mistake would be
/// invisible (a `badge` that is a string): a ``PayloadError`` names the key.
/// See [Generating a remote notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
public struct Payload: Sendable, Hashable {
    public var aps: Aps

    /// Every key beside `aps`, as it came.
    public var custom: [String: JSONValue]

    public init(aps: Aps = Aps(), custom: [String: JSONValue] = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads a payload; a missing `aps` is an empty one, which a phone accepts and APNs does not.
    public init(json: JSONValue) throws(PayloadError) {
        guard case .object(var members) = json else {
            throw PayloadError(key: "", problem: "the payload is \(json.kind), not an object")
        }
        let aps = members.removeValue(forKey: "aps") ?? .object([:])
        self.init(aps: try Aps(json: aps), custom: members)
    }

    public var json: JSONValue {
        var members = custom
        members["aps"] = aps.json
        return .object(members)
    }

    /// The bytes that APNs takes: compact JSON, UTF-8, keys sorted.
    public func encoded() throws -> Data { try json.encoded() }
}

extension Payload: Codable {
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(json: try JSONValue(from: decoder))
        } catch let error as PayloadError {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description))
        }
    }

    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

/// What is wrong with a payload, and under which key.
public struct PayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path to the offending key, such as `aps.alert.title`; empty for the payload as a whole.
    public let key: String

    /// What is wrong, as the rest of a sentence that begins with the key.
    public let problem: String

    public init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    public var description: String { key.isEmpty ? problem : "\(key) \(problem)" }
}
