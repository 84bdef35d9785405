import Foundation

/// The payload of a push: Apple's `aps` dictionary, typed, and the sender's own keys beside it.
///
/// Reading accepts unknown keys, as iOS does, and keeps them, also in `aps`. Reading refuses mistakes that would go unnoticed,
/// such as a `badge` that is a string; a ``PayloadError`` names the key. See [Generating a remote
/// notification](https://developer.apple.com/documentation/usernotifications/generating-a-remote-notification).
public struct Payload: Sendable, Hashable {
    /// Apple's own keys.
    public var aps: Aps

    /// Every key beside `aps`, unchanged.
    public var custom: JSONObject

    /// Makes a payload.
    ///
    /// - Parameters:
    ///   - aps: Apple's own keys. The default is none, which APNs refuses (PayloadEmpty).
    ///   - custom: the sender's keys. The default is none.
    public init(aps: Aps = Aps(), custom: JSONObject = [:]) {
        self.aps = aps
        self.custom = custom
    }

    /// Reads a payload.
    ///
    /// A missing `aps` counts as empty, as on a phone, although APNs refuses it.
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

    /// Returns the bytes to send to APNs: compact JSON, UTF-8, keys sorted.
    ///
    /// - Returns: the bytes. ``validated(for:)`` checks their number, this method does not.
    /// - Throws: `EncodingError` for a number that JSON cannot express (infinity, not-a-number).
    public func encoded() throws -> Data { try json.encoded() }
}

extension Payload: Codable {
    /// Reads a payload from JSON.
    ///
    /// - Parameter decoder: the decoder to read from.
    /// - Throws: `DecodingError` with the description of the ``PayloadError``.
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
    /// - Parameter encoder: the encoder to write to.
    /// - Throws: any error of the encoder.
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Payload {
    /// Encodes the payload and checks the requirements of APNs and iOS for a push of this type.
    ///
    /// - Parameter pushType: the push's `apns-push-type`.
    /// - Returns: the bytes to send.
    /// - Throws: ``PayloadError`` for an empty `aps`, for a background push with alert, badge or sound, and for more bytes than
    ///   ``PushType/payloadByteLimit`` (the error then names the largest key).
    public func validated(for pushType: PushType) throws(PayloadError) -> Data {
        let rule = pushType.rule
        if rule.needsAps, aps == Aps() {
            throw PayloadError(key: "aps", problem: "is missing or empty: APNs answers PayloadEmpty")
        }
        if pushType == .background {
            try checkBackground()
        }
        let data: Data
        do {
            // A device-management push has `mdm` instead of `aps`.
            data = try pushType == .mdm && aps == Aps() ? JSONValue.object(custom).encoded() : encoded()
        } catch {
            throw PayloadError(key: "", problem: "the payload has a number that JSON cannot express")
        }
        if data.count > rule.payloadByteLimit {
            throw tooLarge(data.count, limit: rule.payloadByteLimit)
        }
        return data
    }

    private func checkBackground() throws(PayloadError) {
        guard aps.contentAvailable else {
            throw PayloadError(key: "aps.content-available", problem: "must be 1 in a background push")
        }
        let visible: [(String, Bool)] = [
            ("alert", aps.alert != nil), ("badge", aps.badge != nil), ("sound", aps.sound != nil),
        ]
        for (key, isPresent) in visible where isPresent {
            throw PayloadError(
                key: "aps.\(key)", problem: "does not belong in a background push: send it with push type alert")
        }
    }

    private func tooLarge(_ byteCount: Int, limit: Int) -> PayloadError {
        let sizes = (json.members ?? [:]).map { (key: $0.key, value: (try? $0.value.encoded().count) ?? 0) }
        let largest = sizes.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return PayloadError(
            key: largest?.key ?? "",
            problem: "is too large: the payload has \(byteCount) bytes and APNs takes \(limit); "
                + "this key alone has \(largest?.value ?? 0)")
    }
}

/// A mistake in a payload, and its key.
public struct PayloadError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path to the key at fault, such as `aps.alert.title`; empty for the payload as a whole.
    public let key: String

    /// The mistake, as the rest of a sentence that begins with the key.
    public let problem: String

    package init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    /// A sentence: the key, if there is one, and the problem.
    public var description: String { key.isEmpty ? problem : "\(key) \(problem)" }
}
