import CarillonCore

/// A part of a stored ``RangeChunk`` that suffices to look up the flags of a few devices.
///
/// A chunk keeps the deliveries of one message to a range of devices as bitmaps: for each flag, a bitmap with a bit for each
/// device. An extract has only the chunk's keys and its encoded bitmaps, so that the whole chunk need not be decoded.
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
    ///   - changed: the chunk with changes that are not in the database yet; `nil` if there are none. Its flags take the place
    ///     of the flags in `row`.
    /// - Throws: ``ServiceError`` if the row is damaged.
    init(_ row: SQLRow, changed: RangeChunk?) throws {
        (number, message, first) = try (row["number"], row["message"], row["first"])
        marks = try EncodedMarks(data: changed?.encodedMarks ?? row["marks"])
    }

    /// Returns whether the flag `mark` is set for the device with the given ordinal (running number in the app).
    ///
    /// The result is false if the ``RangeChunk`` does not cover this ordinal.
    func contains(_ mark: ChunkMark, _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.contains(mark, Int(ordinal - first))
    }

    func containsAny(of kinds: [ChunkMark], _ ordinal: Int64) -> Bool {
        ordinal >= first && marks.containsAny(of: kinds, Int(ordinal - first))
    }

    /// The flags (``ChunkMark``) that each mean that a device must remove the message.
    static let asked: [ChunkMark] = [.withdrawn, .ended, .replaced]

    /// Returns whether the ``RangeChunk``'s bits store the delivery to the device with the given ordinal (running number in the
    /// app).
    ///
    /// The result is false if the message is not addressed to the device, or if table rows store the delivery instead.
    func isPlain(_ ordinal: Int64) -> Bool { contains(.addressed, ordinal) && !contains(.row, ordinal) }
}
