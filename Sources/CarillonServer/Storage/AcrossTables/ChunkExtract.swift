import CarillonCore

/// The stored marks of one chunk, for looking up a few places.
struct ChunkExtract {
    /// The chunk's number, and the number of its message.
    var number: Int64
    var message: Int64
    /// The ordinal of the chunk's first place.
    var first: Int64
    var marks: EncodedMarks

    /// Reads the marks of a chunk.
    ///
    /// - Parameters:
    ///   - row: a row of `chunks`.
    ///   - changed: the chunk as this call has changed it; `nil` if it has not.
    /// - Throws: ``ServiceError`` if the row is damaged.
    init(_ row: SQLRow, changed: RangeChunk?) throws {
        (number, message, first) = try (row["number"], row["message"], row["first"])
        marks = try EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Returns whether a device has a mark; false for ordinals outside this chunk.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The marks that make a device remove a message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Returns whether the message is addressed to a device without rows for it.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
