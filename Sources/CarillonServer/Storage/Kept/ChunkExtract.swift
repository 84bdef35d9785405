import CarillonCore

/// The stored marks of a stretch of ordinals, for looking up a few places.
struct ChunkExtract {
    /// The number of the chunk, and of its message.
    var number: Int64
    var message: Int64
    /// The ordinal of its first place.
    var first: Int64
    var marks: EncodedMarks

    /// - Parameters:
    ///   - row: a row of `chunks`.
    ///   - changed: the chunk as changed by this call, if it was.
    init(_ row: SQLRow, changed: RangeChunk?) {
        (number, message, first) = (row["number"], row["message"], row["first"])
        marks = EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Returns whether a device has a mark; false for an ordinal outside this chunk.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The marks that ask the device to remove a message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Returns whether the message is addressed to a device that has no rows for it.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
