import Foundation

/// The flags of all devices of a ``RangeChunk`` in encoded form, for looking up single devices.
///
/// A look-up decodes no whole ``DeviceSet``.
struct EncodedMarks {
    let data: Data

    /// Returns whether a flag is set for the device at a position of the chunk.
    ///
    /// The result is false for bytes that ``RangeChunk/encodedMarks`` does not produce.
    func contains(_ mark: ChunkMark, _ place: Int) -> Bool {
        data.withUnsafeBytes { bytes in
            var start = 0
            while start + 3 <= bytes.count {
                let (tag, length) = (bytes[start], Int(bytes[start + 1]) | Int(bytes[start + 2]) << 8)
                let end = start + 3 + length
                guard end <= bytes.count else { return false }
                if tag == mark.rawValue | RangeChunk.sameAsAddressed { return contains(.addressed, place) }
                if tag == mark.rawValue {
                    return DeviceSet.contains(
                        place, inEncoded: UnsafeRawBufferPointer(rebasing: bytes[start + 3..<end]))
                }
                start = end
            }
            return false
        }
    }

    /// Returns whether at least one of several flags is set for the device at a position of the ``RangeChunk``.
    func containsAny(of marks: [ChunkMark], _ place: Int) -> Bool { marks.contains { contains($0, place) } }
}
