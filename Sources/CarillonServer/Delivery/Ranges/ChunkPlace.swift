/// The place of one device in a ``RangeChunk``, encoded as a negative delivery number.
///
/// Positive delivery numbers are rows of the table `deliveries`.
struct ChunkPlace: Hashable {
    /// The chunk's number.
    var chunk: Int64
    var place: Int

    init(chunk: Int64, place: Int) {
        self.chunk = chunk
        self.place = place
    }

    /// Decodes a place from a delivery's number.
    ///
    /// - Returns: the place; `nil` for the number of a row.
    init?(number: Int64) {
        guard number < 0 else { return nil }
        let value = -1 - number
        self.init(chunk: value >> 16, place: Int(value & 0xffff))
    }

    var number: Int64 { -1 - (chunk << 16 | Int64(place)) }
}
