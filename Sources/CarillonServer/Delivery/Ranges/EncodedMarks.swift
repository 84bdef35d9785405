import Foundation

/// The encoded marks of a chunk.
///
/// A lookup of one place decodes no whole set.
struct EncodedMarks {
    let data: Data

    /// Returns whether a place has a mark; false for bytes that ``RangeChunk`` did not write.
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

    /// Returns whether a place has at least one of several marks.
    func containsAny(of marks: [ChunkMark], _ place: Int) -> Bool { marks.contains { contains($0, place) } }
}
