/// A statement as PostgreSQL understands it.
enum PostgreSQLText {
    /// Numbers the question marks, and quotes `user`, which PostgreSQL takes for the session's role; what stands in quotes
    /// stays as it is.
    static func translated(_ sql: String) -> String {
        var text: [UInt8] = []
        var word: [UInt8] = []
        var (count, quote): (Int, UInt8?) = (0, nil)
        func endWord() {
            text += word == Array("user".utf8) ? Array("\"user\"".utf8) : word
            word = []
        }
        for byte in sql.utf8 {
            if let open = quote {
                text.append(byte)
                if byte == open { quote = nil }
                continue
            }
            if isPartOfWord(byte) {
                word.append(byte)
                continue
            }
            endWord()
            switch byte {
            case UInt8(ascii: "?"):
                count += 1
                text += Array("$\(count)".utf8)
            case UInt8(ascii: "'"), UInt8(ascii: "\""):
                quote = byte
                text.append(byte)
            default: text.append(byte)
            }
        }
        endWord()
        return String(decoding: text, as: UTF8.self)
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xff:
            true
        default: false
        }
    }
}

extension SQLDialect {
    static let postgreSQL = Self(
        engine: .postgreSQL,
        textsOfJSON: "(SELECT listed.value FROM json_array_elements_text(CAST(? AS json)) AS listed(value))",
        integersOfJSON: """
            (SELECT CAST(listed.value AS BIGINT) AS value FROM json_array_elements_text(CAST(? AS json)) AS listed(value))
            """,
        orderedJoin: "JOIN", position: "strpos", keepsFromIndexes: "")
}
