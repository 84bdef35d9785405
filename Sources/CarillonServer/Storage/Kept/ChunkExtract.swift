import CarillonCore

/// The marks of a stretch of ordinals as they were read, for look-ups of a few places.
struct ChunkExtract {
    /// The chunk's number, and its message's.
    var number: Int64
    var message: Int64
    /// The ordinal of its first place.
    var first: Int64
    var marks: EncodedMarks

    /// - Parameters:
    ///   - row: of `chunks`.
    ///   - changed: what it has become since.
    init(_ row: SQLRow, changed: RangeChunk?) {
        (number, message, first) = (row["number"], row["message"], row["first"])
        marks = EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Whether a device has a mark; those of chunks beside this one, which may be wider or narrower, have none in it.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The marks that ask for the removal of a message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Whether the message is for a device that has no rows of it.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
