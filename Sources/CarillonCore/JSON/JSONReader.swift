import Foundation

/// Parses a JSON text into values, in one pass over its bytes ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)).
///
/// Foundation's parser first makes an object for each value. On Linux, that parser also accepts invalid texts that APNs refuses,
/// such as a comma before the end of an object. None of the packages used here parses JSON.
struct JSONReader {
    let bytes: UnsafeRawBufferPointer
    private let depthLimit: Int
    private let refusesRepeatedMembers: Bool
    var index = 0

    /// Parses a text that consists of one JSON value.
    ///
    /// - Parameters:
    ///   - data: one value in UTF-8, with or without a byte order mark.
    ///   - depthLimit: the deepest allowed nesting of objects and arrays.
    ///   - refusesRepeatedMembers: whether an object with two members of one name is an error; if not, the last of these
    ///     members counts.
    /// - Returns: the value.
    /// - Throws: ``JSONSyntaxError`` with the position.
    static func value(
        of data: Data, depthLimit: Int, refusesRepeatedMembers: Bool
    ) throws(JSONSyntaxError) -> JSONValue {
        let result: Result<JSONValue, JSONSyntaxError> = data.withUnsafeBytes { bytes in
            var reader = JSONReader(
                bytes: bytes, depthLimit: depthLimit, refusesRepeatedMembers: refusesRepeatedMembers)
            do throws(JSONSyntaxError) { return .success(try reader.whole()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private init(bytes: UnsafeRawBufferPointer, depthLimit: Int, refusesRepeatedMembers: Bool) {
        self.bytes = bytes
        self.depthLimit = depthLimit
        self.refusesRepeatedMembers = refusesRepeatedMembers
    }

    private mutating func whole() throws(JSONSyntaxError) -> JSONValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
        let value = try value(depth: 0)
        skipSpace()
        guard index == bytes.count else { throw unexpected("the end") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    // MARK: bytes

    var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    func bytes(from start: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[start..<index])
    }

    func unexpected(_ expected: String) -> JSONSyntaxError {
        guard index < bytes.count else { return JSONSyntaxError(description: "not valid JSON: it ends too early") }
        return JSONSyntaxError(description: "not valid JSON: not \(expected) at byte \(index)")
    }

    // MARK: objects and arrays

    private mutating func open(depth: Int) throws(JSONSyntaxError) {
        guard depth < depthLimit else {
            throw JSONSyntaxError(
                description: "not accepted: nested more than \(depthLimit) levels deep, at byte \(index)")
        }
        index += 1
        skipSpace()
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try open(depth: depth)
        var members = JSONObject()
        if take(UInt8(ascii: "}")) { return .object(members) }
        // Most objects have two or three members.
        members.reserveCapacity(3)
        repeat {
            skipSpace()
            guard peek == UInt8(ascii: "\"") else { throw unexpected("the name of a member") }
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected("a colon") }
            // If two members have one name, the last one counts, unless `refusesRepeatedMembers`.
            let member = try value(depth: depth + 1)
            guard members.updateValue(member, forKey: name) == nil || !refusesRepeatedMembers else {
                throw JSONSyntaxError(description: "not accepted: the member \"\(name)\" stands twice in one object")
            }
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "}")) else { throw unexpected("a comma or }") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        try open(depth: depth)
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        repeat {
            elements.append(try value(depth: depth + 1))
            skipSpace()
        } while take(UInt8(ascii: ","))
        guard take(UInt8(ascii: "]")) else { throw unexpected("a comma or ]") }
        return .array(elements)
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        for offset in 0..<word.utf8CodeUnitCount {
            guard take(word.utf8Start[offset]) else { throw unexpected("a value") }
        }
        return value
    }
}

/// Reads numbers.
extension JSONReader {
    mutating func number() throws(JSONSyntaxError) -> JSONValue {
        let start = index
        let isNegative = take(UInt8(ascii: "-"))
        let digits = index
        if !take(UInt8(ascii: "0")) { try skipDigits("a value") }
        let digitCount = index - digits
        var isWhole = true
        if take(UInt8(ascii: ".")) {
            isWhole = false
            try skipDigits("a digit")
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            isWhole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try skipDigits("a digit")
        }
        // 18 digits fit into 64 bits.
        if isWhole, digitCount <= 18, !isNegative || bytes[digits] != UInt8(ascii: "0") {
            let magnitude = bytes(from: digits).reduce(0 as Int64) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
            return .int(isNegative ? -magnitude : magnitude)
        }
        let text = String(decoding: bytes(from: start), as: UTF8.self)
        guard let value = JSONValue(numberText: text, isWhole: isWhole) else {
            throw JSONSyntaxError(description: "not accepted: the number at byte \(start) is too large")
        }
        return value
    }

    private mutating func skipDigits(_ expected: String) throws(JSONSyntaxError) {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        guard index > start else { throw unexpected(expected) }
    }
}

/// A syntax error in a JSON text.
public struct JSONSyntaxError: Error, Sendable, CustomStringConvertible {
    /// A sentence that describes the error and its position.
    public let description: String

    init(description: String) { self.description = description }
}
