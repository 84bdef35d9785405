/// Takes known keys out of an object one by one; what is left at the end is unknown, and kept.
struct KeyReader {
    private(set) var rest: [String: JSONValue]
    private let path: String

    init(_ json: JSONValue, path: String) throws(PayloadError) {
        guard case .object(let members) = json else {
            throw PayloadError(key: path, problem: "must be a dictionary, not \(json.kind)")
        }
        rest = members
        self.path = path
    }

    /// Removes a key and hands its value, with its path for errors, to `read`; `nil` when it is absent.
    mutating func take<Value>(
        _ key: String, _ read: (JSONValue, String) throws(PayloadError) -> Value
    ) throws(PayloadError) -> Value? {
        guard let value = rest.removeValue(forKey: key) else { return nil }
        return try read(value, "\(path).\(key)")
    }

    mutating func takeString(_ key: String) throws(PayloadError) -> String? {
        try take(key) { (value, path) throws(PayloadError) in
            guard let text = value.stringValue else { throw Self.mismatch(path, "a string", value) }
            return text
        }
    }

    mutating func takeStrings(_ key: String) throws(PayloadError) -> [String]? {
        try take(key) { (value, path) throws(PayloadError) in
            let texts = value.arrayValue?.map(\.stringValue)
            guard let texts, !texts.contains(nil) else { throw Self.mismatch(path, "an array of strings", value) }
            return texts.compactMap { $0 }
        }
    }

    mutating func takeNumber(_ key: String, in range: ClosedRange<Double>) throws(PayloadError) -> Double? {
        try take(key) { (value, path) throws(PayloadError) in
            guard let number = value.doubleValue else { throw Self.mismatch(path, "a number", value) }
            guard range.contains(number) else {
                throw PayloadError(
                    key: path, problem: "must lie between \(range.lowerBound) and \(range.upperBound), not \(number)")
            }
            return number
        }
    }

    mutating func takeBadge(_ key: String) throws(PayloadError) -> Int? {
        try take(key) { (value, path) throws(PayloadError) in
            guard let number = value.intValue, number >= 0 else {
                throw Self.mismatch(path, "a whole number that is not negative", value)
            }
            return number
        }
    }

    /// Apple's flags are the number 1; `true` is a frequent slip that iOS takes as well.
    mutating func takeFlag(_ key: String) throws(PayloadError) -> Bool {
        try take(key) { (value, path) throws(PayloadError) in
            if let flag = value.boolValue { return flag }
            guard let number = value.intValue, number == 0 || number == 1 else {
                throw Self.mismatch(path, "0 or 1", value)
            }
            return number == 1
        } ?? false
    }

    private static func mismatch(_ path: String, _ expected: String, _ value: JSONValue) -> PayloadError {
        let found: String
        switch value {
        case .int(let number): found = "\(number)"
        case .double(let number): found = "\(number)"
        default: found = value.kind
        }
        return PayloadError(key: path, problem: "must be \(expected), not \(found)")
    }
}
