import Foundation

/// A buffer of rows in the binary format of PostgreSQL's [COPY](https://www.postgresql.org/docs/current/sql-copy.html).
struct CopyTuples {
    private var bytes: [UInt8] = Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0] + [UInt8](repeating: 0, count: 8)

    var finished: [UInt8] { bytes + [0xff, 0xff] }

    /// Appends a row.
    ///
    /// - Throws: ``ServiceError`` for a text with U+0000, which PostgreSQL cannot store.
    mutating func append(_ row: SQLArguments) throws {
        append(Int16(clamping: row.values.count))
        for value in row.values {
            switch value {
            case .null: append(Int32(-1))
            case .integer(let number):
                append(Int32(8))
                append(number)
            case .text(let text):
                guard !value.hasZero else { throw ServiceError.zeroInText }
                append(bytes: text.utf8)
            case .blob(let data): append(bytes: data)
            }
        }
    }

    private mutating func append(bytes content: some Collection<UInt8>) {
        append(Int32(clamping: content.count))
        bytes += content
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

extension SQLValue {
    /// Whether the value is a text with the character U+0000.
    var hasZero: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.contains(0)
    }
}
