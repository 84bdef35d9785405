/// The position of one device in a ``RangeChunk``: the chunk's number, and the device's index in the chunk.
///
/// The index is the device's ordinal (its running number in the app) minus the chunk's first ordinal. One negative integer
/// (``number``) encodes the position, and serves as the delivery's number. Positive delivery numbers are rows of the table
/// `deliveries`.
struct ChunkPlace: Hashable {
    /// The ``RangeChunk``'s number in the table `chunks`.
    var chunk: Int64
    var place: Int

    init(chunk: Int64, place: Int) {
        self.chunk = chunk
        self.place = place
    }

    /// Decodes a position in a ``RangeChunk`` from a delivery's number.
    ///
    /// - Returns: the position; `nil` for a positive number, which is a row of the table `deliveries`.
    init?(number: Int64) {
        guard number < 0 else { return nil }
        let value = -1 - number
        self.init(chunk: value >> 16, place: Int(value & 0xffff))
    }

    var number: Int64 { -1 - (chunk << 16 | Int64(place)) }
}
