/// Finds the functions of a Swift file and their lengths, by their brackets.
struct FunctionScanner {
    struct Function {
        let name: String
        /// The number of its first line, from 1.
        let line: Int
        let lineCount: Int
    }

    private var functions: [Function] = []
    private var depth = 0
    private var line = 1
    private var open: [(name: String, line: Int, depth: Int)] = []
    private var pending: (name: String, line: Int)?

    static func functions(in text: String) -> [Function] {
        var scanner = FunctionScanner()
        scanner.scan(Array(text.utf8))
        return scanner.functions
    }

    private mutating func scan(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            if let end = Self.endOfCommentOrString(bytes, from: index) {
                line += bytes[index..<end].count { $0 == UInt8(ascii: "\n") }
                index = end
                continue
            }
            if let word = Self.word(bytes, at: index) {
                note(
                    word, before: index > 0 ? bytes[index - 1] : UInt8(ascii: " "), bytes,
                    after: index + word.utf8.count)
                index += word.utf8.count
                continue
            }
            bracket(bytes[index])
            index += 1
        }
    }

    private mutating func note(_ word: String, before: UInt8, _ bytes: [UInt8], after: Int) {
        guard before != UInt8(ascii: ".") && before != UInt8(ascii: "`") else { return }
        switch word {
        case "func":
            pending = (Self.word(bytes, at: after + 1) ?? "func", line)
        case "init", "subscript":
            guard after < bytes.count, [UInt8(ascii: "("), UInt8(ascii: "?"), UInt8(ascii: "<")].contains(bytes[after])
            else { return }
            pending = (word, line)
        case "var", "let", "case", "struct", "class", "enum", "protocol", "extension": pending = nil
        default: break
        }
    }

    private mutating func bracket(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"): line += 1
        case UInt8(ascii: "{"):
            depth += 1
            if let function = pending {
                open.append((function.name, function.line, depth))
                pending = nil
            }
        case UInt8(ascii: "}"):
            pending = nil
            if let function = open.last, function.depth == depth {
                open.removeLast()
                functions.append(
                    Function(name: function.name, line: function.line, lineCount: line - function.line + 1))
            }
            depth -= 1
        default: break
        }
    }

    private static func word(_ bytes: [UInt8], at index: Int) -> String? {
        var end = index
        while end < bytes.count, isWord(bytes[end]) { end += 1 }
        return end == index ? nil : String(decoding: bytes[index..<end], as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    /// Returns the index after a comment or a string literal that begins here; brackets inside an interpolation come in pairs.
    private static func endOfCommentOrString(_ bytes: [UInt8], from index: Int) -> Int? {
        func starts(_ text: StaticString, at index: Int) -> Bool {
            let length = text.utf8CodeUnitCount
            guard index + length <= bytes.count else { return false }
            return (0..<length).allSatisfy { bytes[index + $0] == text.utf8Start[$0] }
        }
        func find(_ text: StaticString, from start: Int) -> Int {
            var next = start
            while next < bytes.count, !starts(text, at: next) {
                next += bytes[next] == UInt8(ascii: "\\") && text.utf8CodeUnitCount != 2 ? 2 : 1
            }
            return min(next + text.utf8CodeUnitCount, bytes.count)
        }
        if starts("//", at: index) {
            return bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        }
        if starts("/*", at: index) { return find("*/", from: index + 2) }
        if starts("\"\"\"", at: index) { return find("\"\"\"", from: index + 3) }
        if starts("\"", at: index) { return endOfLine(bytes, from: index + 1) }
        return nil
    }

    /// Returns the index after a one-line string, whose interpolations may contain strings.
    private static func endOfLine(_ bytes: [UInt8], from start: Int) -> Int {
        var (index, parentheses) = (start, 0)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "("):
                parentheses += 1
                index += 1
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "(") where parentheses > 0: parentheses += 1
            case UInt8(ascii: ")") where parentheses > 0: parentheses -= 1
            case UInt8(ascii: "\"") where parentheses > 0: index = endOfLine(bytes, from: index + 1) - 1
            case UInt8(ascii: "\""), UInt8(ascii: "\n"): return index + 1
            default: break
            }
            index += 1
        }
        return bytes.count
    }
}
