/// Takes known keys out of an object one by one; the keys left at the end are unknown, and kept.
///
/// An error's key begins with the reader's name; the text is made only when the error is thrown.
struct KeyReader {
    private let members: [String: JSONValue]
    private let name: String
    /// The keys that were found.
    private var taken: [String] = []

    /// - Parameters:
    ///   - json: the object.
    ///   - name: the object's name in errors; empty for a reader within another, which adds the key in front.
    /// - Throws: ``PayloadError`` if `json` is no object.
    init(_ json: JSONValue, name: String = "") throws(PayloadError) {
        guard case .object(let members) = json else {
            throw PayloadError(key: name, problem: "must be a dictionary, not \(json.kind)")
        }
        self.members = members
        self.name = name
    }

    /// The members that have not been taken.
    var rest: [String: JSONValue] {
        taken.count == members.count ? [:] : members.filter { !taken.contains($0.key) }
    }

    /// Takes a key and hands its value to `read`; `nil` when it is absent.
    mutating func take<Value>(
        _ key: String, _ read: (JSONValue) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value? {
        // Most objects have few of the many known keys.
        guard taken.count < members.count, let value = members[key] else { return nil }
        taken.append(key)
        do throws(PayloadError) {
            return try read(value)
        } catch {
            let path = [name, key, error.key].filter { !$0.isEmpty }
            throw PayloadError(key: path.joined(separator: "."), problem: error.problem)
        }
    }

    mutating func takeString(_ key: String) throws(PayloadError) -> String? {
        try take(key) { (value) throws(PayloadError) in
            guard let text = value.stringValue else { throw Self.mismatch("a string", value) }
            return text
        }
    }

    mutating func takeStrings(_ key: String) throws(PayloadError) -> [String]? {
        try take(key) { (value) throws(PayloadError) in
            let texts = value.arrayValue?.map(\.stringValue)
            guard let texts, !texts.contains(nil) else { throw Self.mismatch("an array of strings", value) }
            return texts.compactMap { $0 }
        }
    }

    mutating func takeNumber(_ key: String, in range: ClosedRange<Double>) throws(PayloadError) -> Double? {
        try take(key) { (value) throws(PayloadError) in
            guard let number = value.doubleValue else { throw Self.mismatch("a number", value) }
            guard range.contains(number) else {
                throw PayloadError(
                    key: "", problem: "must lie between \(range.lowerBound) and \(range.upperBound), not \(number)")
            }
            return number
        }
    }

    mutating func takeBadge(_ key: String) throws(PayloadError) -> Int? {
        try take(key) { (value) throws(PayloadError) in
            guard let number = value.intValue, number >= 0 else {
                throw Self.mismatch("a whole number that is not negative", value)
            }
            return number
        }
    }

    /// Takes a flag: Apple's flags are the number 1; `true` is a frequent mistake that iOS accepts too.
    mutating func takeFlag(_ key: String) throws(PayloadError) -> Bool {
        try take(key) { (value) throws(PayloadError) in
            if let flag = value.boolValue { return flag }
            guard let number = value.intValue, number == 0 || number == 1 else {
                throw Self.mismatch("0 or 1", value)
            }
            return number == 1
        } ?? false
    }

    private static func mismatch(_ expected: String, _ value: JSONValue) -> PayloadError {
        let found: String
        switch value {
        case .int(let number): found = "\(number)"
        case .double(let number): found = "\(number)"
        case .number(let text): found = text
        default: found = value.kind
        }
        return PayloadError(key: "", problem: "must be \(expected), not \(found)")
    }
}
