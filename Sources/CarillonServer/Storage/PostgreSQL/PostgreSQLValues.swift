import CPostgreSQL
import Foundation

/// The values for a statement's question marks, in PostgreSQL's binary format and in the form that libpq takes.
struct PostgreSQLValues {
    /// The type numbers of the values (`pg_type.oid`); 0 for NULL.
    private(set) var types: [Oid] = []
    private var lengths: [Int32] = []
    private var offsets: [Int?] = []
    // The array starts with one byte, so that it always has an address.
    private var bytes: [UInt8] = [0]

    /// Encodes the values for a statement's question marks.
    ///
    /// - Throws: ``ServiceError`` for a text with U+0000, which PostgreSQL cannot store.
    init(_ arguments: SQLArguments) throws {
        for value in arguments.values { try append(value) }
    }

    private mutating func append(_ value: SQLValue) throws {
        switch value {
        case .null: add(0, nil)
        case .integer(let number):
            let start = bytes.count
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
            add(20, start)
        case .text(let text):
            let start = bytes.count
            bytes += text.utf8
            guard !bytes[start...].contains(0) else { throw ServiceError.zeroInText }
            add(25, start)
        case .blob(let data):
            let start = bytes.count
            bytes += data
            add(17, start)
        }
    }

    private mutating func add(_ type: Oid, _ start: Int?) {
        types.append(type)
        offsets.append(start)
        lengths.append(Int32(start.map { bytes.count - $0 } ?? 0))
    }

    var count: Int32 { Int32(types.count) }

    /// Calls `body` with the values' addresses, lengths and formats.
    ///
    /// The addresses are valid only during the call.
    func withPointers<Value>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Value
    ) rethrows -> Value {
        try bytes.withUnsafeBytes { all in
            let base = all.assumingMemoryBound(to: CChar.self).baseAddress
            let pointers = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            return try body(pointers, lengths, Array(repeating: 1, count: offsets.count))
        }
    }
}
