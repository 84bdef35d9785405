import CarillonCore

/// Reads the members of a JSON object one by one.
///
/// Each call removes the member that it reads. ``finish()`` throws an error for a member that no call has read.
struct ObjectReader {
    private(set) var rest: JSONObject
    private let pointer: String
    private var known: [String] = []

    /// Creates a reader of an object.
    ///
    /// - Parameters:
    ///   - json: the object.
    ///   - pointer: the object's JSON pointer; empty for the body itself.
    /// - Throws: ``Problem`` if the value is not an object.
    init(_ json: JSONValue, pointer: String) throws(Problem) {
        guard case .object(let members) = json else {
            throw .invalid(pointer, "must be an object, not \(json.kind)")
        }
        rest = members
        self.pointer = pointer
    }

    func pointer(to key: String) -> String {
        key.isEmpty ? pointer : "\(pointer)/\(Self.escaped(key))"
    }

    /// Returns a name with the escapes of a JSON pointer
    /// ([RFC 6901, section 3](https://www.rfc-editor.org/rfc/rfc6901#section-3)).
    static func escaped(_ key: String) -> String { key.replacing("~", with: "~0").replacing("/", with: "~1") }

    /// Reads a member; returns `nil` if the member is absent or `null`.
    mutating func take(_ key: String) -> JSONValue? {
        known.append(key)
        guard let value = rest.removeValue(forKey: key), value != .null else { return nil }
        return value
    }

    mutating func takeString(_ key: String) throws(Problem) -> String? {
        guard let value = take(key) else { return nil }
        guard let text = value.stringValue else {
            throw .invalid(pointer(to: key), "must be a string, not \(value.kind)")
        }
        return text
    }

    mutating func takeBool(_ key: String) throws(Problem) -> Bool? {
        guard let value = take(key) else { return nil }
        guard let flag = value.boolValue else {
            throw .invalid(pointer(to: key), "must be true or false, not \(value.kind)")
        }
        return flag
    }

    mutating func takeCount(_ key: String, atMost limit: Int) throws(Problem) -> Int? {
        guard let value = take(key) else { return nil }
        guard let count = value.intValue, (0...limit).contains(count) else {
            throw .invalid(pointer(to: key), "must be a whole number from 0 to \(limit)")
        }
        return count
    }

    mutating func takeStrings(_ key: String, limit: Int) throws(Problem) -> [String]? {
        guard let value = take(key) else { return nil }
        let texts = value.arrayValue?.map(\.stringValue)
        guard let texts, !texts.contains(nil) else {
            throw .invalid(pointer(to: key), "must be an array of strings, not \(value.kind)")
        }
        guard (1...limit).contains(texts.count) else {
            throw .invalid(pointer(to: key), "has \(texts.count) entries; it takes 1 to \(limit)")
        }
        return texts.compactMap(\.self)
    }

    /// Reads a time, in RFC 3339 or in seconds since 1970; returns `nil` if the member is absent.
    ///
    /// A refusal also names `word`, which may stand in the place of a time.
    mutating func takeMoment(_ key: String, or word: String? = nil) throws(Problem) -> Timestamp? {
        guard let value = take(key) else { return nil }
        if let seconds = value.doubleValue {
            guard (0...ServiceLimits.lastSecond).contains(seconds) else {
                throw .invalid(pointer(to: key), "is no number of seconds since 1970; is it in milliseconds?")
            }
            return Timestamp(millisecondsSince1970: Int64(seconds * 1000))
        }
        guard let text = value.stringValue, let moment = Timestamp(rfc3339: text) else {
            throw .invalid(
                pointer(to: key),
                "is not a time of RFC 3339; write it as 2027-01-31T12:00:00Z, or in seconds since 1970"
                    + (word.map { ", or \"\($0)\"" } ?? ""))
        }
        return moment
    }

    /// Reads the end of a message: a time, or `now`; returns `nil` if the member is absent.
    mutating func takeEnd(_ key: String) throws(Problem) -> MessageEnd? {
        guard rest[key] != .string(MessageEnd.nowWord) else {
            _ = take(key)
            return .now
        }
        return try takeMoment(key, or: MessageEnd.nowWord).map(MessageEnd.at)
    }

    /// Checks that every member was read.
    ///
    /// - Throws: ``Problem`` that names an unknown member and the known member that was probably meant.
    func finish() throws(Problem) {
        guard let unknown = rest.keys.min() else { return }
        let hint = unknown.nearest(in: known).map { "did you mean \"\($0)\"? " } ?? ""
        throw .invalid(
            pointer(to: String(unknown.prefix(DeliveryLimits.quotedKeyCharacters))),
            "is not known here; \(hint)Known are \(known.sorted().joined(separator: ", "))")
    }
}
