import CarillonCore

/// The part of a stored ``RangeChunk`` that suffices to look up the flags of a few devices: its keys and its encoded flags.
///
/// A chunk stores the deliveries of one message to a range of devices as bits. An extract avoids decoding the whole chunk.
struct ChunkExtract {
    /// The ``RangeChunk``'s number in the table `chunks`.
    ///
    /// `message` is the number of the chunk's message.
    var number: Int64
    var message: Int64
    /// The ordinal of the first device that the ``RangeChunk`` covers; an ordinal is a device's running number in its app.
    var first: Int64
    var marks: EncodedMarks

    /// Reads the keys and the encoded flags from the database row of a ``RangeChunk``.
    ///
    /// - Parameters:
    ///   - row: a row of the table `chunks`.
    ///   - changed: the chunk with this call's unsaved changes; `nil` if the call has not changed the chunk.
    /// - Throws: ``ServiceError`` if the row is damaged.
    init(_ row: SQLRow, changed: RangeChunk?) throws {
        (number, message, first) = try (row["number"], row["message"], row["first"])
        marks = try EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Returns whether a flag is set for the device with an ordinal (running number in the app).
    ///
    /// The result is false for an ordinal that the ``RangeChunk`` does not cover.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The flags of devices that must remove the message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Returns whether the ``RangeChunk``'s bits store the delivery to the device with an ordinal (running number in the app).
    ///
    /// The result is false if the message is not addressed to the device, or if the delivery is stored in rows.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
