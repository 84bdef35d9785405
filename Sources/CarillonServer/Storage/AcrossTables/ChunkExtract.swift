import CarillonCore

/// An extract of a chunk: its keys and its encoded flags (``ChunkMark``), for looking up a few devices.
struct ChunkExtract {
    /// The chunk's number; `message` is the number of its message.
    var number: Int64
    var message: Int64
    /// The ordinal of the chunk's first place.
    var first: Int64
    var marks: EncodedMarks

    /// Reads the keys and the flags from a chunk's row.
    ///
    /// - Parameters:
    ///   - row: a row of `chunks`.
    ///   - changed: the chunk with this call's unsaved changes; `nil` if the call has not changed the chunk.
    /// - Throws: ``ServiceError`` if the row is damaged.
    init(_ row: SQLRow, changed: RangeChunk?) throws {
        (number, message, first) = try (row["number"], row["message"], row["first"])
        marks = try EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Returns whether a flag is set for the device with an ordinal; false for ordinals outside this chunk.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The flags that make a device remove the message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Returns whether the message is addressed to the device with this ordinal and the delivery is stored in bits, not in
    /// rows.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
