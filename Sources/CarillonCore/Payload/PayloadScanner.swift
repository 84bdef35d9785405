import Foundation

/// A recursive-descent recogniser of JSON, which builds no values.
struct PayloadScanner {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Scans the whole payload.
    ///
    /// - Returns: the outline of the payload; `nil` if the bytes are not one JSON dictionary, or its `aps` is not a dictionary.
    mutating func scanPayload() -> (aps: PayloadShape.Aps, hasOther: Bool)? {
        var aps = PayloadShape.Aps.absent
        var hasOther = false
        skipSpace()
        let isWhole = scanObject(depth: 0) { scanner, key in
            guard Self.isAps(key) else {
                hasOther = true
                return scanner.scanValue(depth: 1)
            }
            let isObject = scanner.peek == UInt8(ascii: "{")
            var memberCount = 0
            let isRead =
                isObject
                ? scanner.scanObject(depth: 1) { scanner, _ in
                    memberCount += 1
                    return scanner.scanValue(depth: 2)
                } : false
            aps = memberCount == 0 ? .empty : .filled
            return isRead
        }
        skipSpace()
        return isWhole && index == bytes.count ? (aps, hasOther) : nil
    }

    /// Returns whether a member's name is `aps`, also if it is written with escape sequences such as `\u0061`.
    private static func isAps(_ key: Slice<UnsafeRawBufferPointer>) -> Bool {
        guard key.contains(UInt8(ascii: "\\")) else { return key.elementsEqual("aps".utf8) }
        let quote = [UInt8(ascii: "\"")]
        return (try? JSONValue(parsing: Data(quote + key + quote)))?.stringValue == "aps"
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    private mutating func scanObject(
        depth: Int, member: (inout PayloadScanner, Slice<UnsafeRawBufferPointer>) -> Bool
    ) -> Bool {
        guard depth < JSONValue.depthLimit, take(UInt8(ascii: "{")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        repeat {
            skipSpace()
            let start = index + 1
            guard scanString() else { return false }
            let key = bytes[start..<(index - 1)]
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            guard member(&self, key) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}"))
    }

    private mutating func scanArray(depth: Int) -> Bool {
        guard depth < JSONValue.depthLimit, take(UInt8(ascii: "[")) else { return false }
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        repeat {
            skipSpace()
            guard scanValue(depth: depth + 1) else { return false }
            skipSpace()
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]"))
    }

    private mutating func scanValue(depth: Int) -> Bool {
        switch peek {
        case UInt8(ascii: "{"): scanObject(depth: depth) { scanner, _ in scanner.scanValue(depth: depth + 1) }
        case UInt8(ascii: "["): scanArray(depth: depth)
        case UInt8(ascii: "\""): scanString()
        case UInt8(ascii: "t"): scanWord("true")
        case UInt8(ascii: "f"): scanWord("false")
        case UInt8(ascii: "n"): scanWord("null")
        default: scanNumber()
        }
    }

    private mutating func scanWord(_ word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        index = end
        return true
    }

    private mutating func scanString() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        let start = index
        var isASCII = true
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                return isASCII || String(validating: bytes[start..<(index - 1)], as: UTF8.self) != nil
            case UInt8(ascii: "\\"): guard scanEscape() else { return false }
            case 0..<0x20: return false
            case 0x80...: isASCII = false
            default: break
            }
        }
        return false
    }

    private mutating func scanEscape() -> Bool {
        guard let byte = peek else { return false }
        index += 1
        guard byte == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(byte) }
        let end = index + 4
        guard end <= bytes.count, bytes[index..<end].allSatisfy(Self.isHexadecimal) else { return false }
        index = end
        return true
    }

    private mutating func scanNumber() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) {
            guard scanDigits() else { return false }
        }
        if take(UInt8(ascii: ".")) {
            guard scanDigits() else { return false }
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard scanDigits() else { return false }
        }
        return true
    }

    private mutating func scanDigits() -> Bool {
        let start = index
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index > start
    }
}
