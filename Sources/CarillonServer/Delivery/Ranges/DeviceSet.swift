import Foundation

/// A set of devices of a ``RangeChunk``, identified by their positions in the chunk.
///
/// A position is counted from 0: the device's ordinal (running number in the app) minus the chunk's first ordinal. A set with few
/// members is stored as a list of gaps; a set with many members is stored as a bitmap.
package struct DeviceSet: Sendable, Hashable {
    /// The bitmap, with the bits of 64 positions in each word.
    ///
    /// The last word is never 0, so that equal sets have equal words.
    private var words: [UInt64] = []

    package init() {}

    package init(_ places: some Collection<Int>) {
        guard let greatest = places.max() else { return }
        words = Array(repeating: 0, count: greatest / 64 + 1)
        for place in places { words[place / 64] |= 1 << UInt64(place % 64) }
    }

    package var isEmpty: Bool { words.isEmpty }
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    package func contains(_ place: Int) -> Bool {
        let index = place / 64
        return index < words.count && words[index] & (1 << UInt64(place % 64)) != 0
    }

    package mutating func insert(_ place: Int) {
        let index = place / 64
        if index >= words.count { words += repeatElement(0, count: index - words.count + 1) }
        words[index] |= 1 << UInt64(place % 64)
    }

    package mutating func remove(_ place: Int) {
        let index = place / 64
        guard index < words.count else { return }
        words[index] &= ~(1 << UInt64(place % 64))
        trim()
    }

    package func union(_ other: DeviceSet) -> DeviceSet {
        var (all, added) = (self, other)
        if all.words.count < added.words.count { swap(&all, &added) }
        for index in added.words.indices { all.words[index] |= added.words[index] }
        return all
    }

    package func subtracting(_ other: DeviceSet) -> DeviceSet {
        var left = self
        for index in left.words.indices.prefix(other.words.count) { left.words[index] &= ~other.words[index] }
        left.trim()
        return left
    }

    package func intersection(_ other: DeviceSet) -> DeviceSet {
        var both = self
        both.words.removeLast(max(0, both.words.count - other.words.count))
        for index in both.words.indices { both.words[index] &= other.words[index] }
        both.trim()
        return both
    }

    /// Returns the positions of the set's devices in ascending order, beginning at `first`.
    ///
    /// - Parameters:
    ///   - first: the least position to return. The default is 0.
    ///   - limit: the greatest number of positions to return. The default is all.
    /// - Returns: the positions.
    package func places(from first: Int = 0, limit: Int = .max) -> [Int] {
        var found: [Int] = []
        for index in words.indices.dropFirst(first / 64) {
            var word = words[index]
            while word != 0, found.count < limit {
                let place = index * 64 + word.trailingZeroBitCount
                if place >= first { found.append(place) }
                word &= word - 1
            }
        }
        return found
    }

    private mutating func trim() { while words.last == 0 { words.removeLast() } }
}

/// Encodes a set of devices into bytes, and decodes it.
extension DeviceSet {
    private enum Form: UInt8 {
        /// A bitmap: words of eight bytes, the least significant byte first.
        case bitmap = 0
        /// A list of gaps: for each member, the number of absent positions since the previous member, as a variable-length
        /// integer.
        ///
        /// Each byte holds seven bits, the least significant first. If the eighth bit is set, more bytes follow.
        case gaps = 1
    }

    package var encoded: Data {
        // Collects bytes in an array, because appending to `Data` is slower than the encoding itself.
        if let gaps = gaps(shorterThan: words.count * 8) { return Data(gaps) }
        var bytes = [Form.bitmap.rawValue]
        bytes.reserveCapacity(1 + words.count * 8)
        words.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
        return Data(bytes)
    }

    private func gaps(shorterThan limit: Int) -> [UInt8]? {
        guard count < limit else { return nil }
        var bytes = [Form.gaps.rawValue]
        bytes.reserveCapacity(1 + limit)
        var next = 0
        for place in places() {
            var gap = place - next
            while gap > 0x7f {
                bytes.append(UInt8(gap & 0x7f) | 0x80)
                gap >>= 7
            }
            bytes.append(UInt8(gap))
            next = place + 1
        }
        return bytes.count <= limit ? bytes : nil
    }

    /// Decodes a stored set.
    ///
    /// The result is `nil` for bytes that ``encoded`` does not produce.
    package init?(encoded data: some Collection<UInt8>) {
        guard let form = data.first.flatMap(Form.init(rawValue:)) else { return nil }
        let bytes = Array(data.dropFirst())
        switch form {
        case .gaps:
            var places: [Int] = []
            places.reserveCapacity(bytes.count)
            let isWhole = bytes.withUnsafeBytes { raw in
                Self.forEachPlace(in: raw[...]) {
                    places.append($0)
                    return $0 < Self.bound
                }
            }
            guard isWhole, !places.isEmpty, places.allSatisfy({ $0 < Self.bound }) else { return nil }
            words = DeviceSet(places).words
        case .bitmap:
            guard bytes.count.isMultiple(of: 8) else { return nil }
            words = bytes.withUnsafeBytes { raw in
                stride(from: 0, to: raw.count, by: 8).map {
                    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
                }
            }
            trim()
        }
    }

    /// The exclusive upper bound of the positions in a ``RangeChunk``.
    private static let bound = 1 << 16

    /// Calls `body` with each position of a set stored as gaps, in ascending order, until `body` returns false.
    ///
    /// - Parameters:
    ///   - bytes: the bytes of ``Form/gaps``.
    ///   - body: receives a position, and returns whether to continue.
    /// - Returns: whether the bytes are valid: false if they end within a number.
    private static func forEachPlace(in bytes: Slice<UnsafeRawBufferPointer>, _ body: (Int) -> Bool) -> Bool {
        var (rest, next) = (bytes, 0)
        while let byte = rest.popFirst() {
            var place = Int(byte & 0x7f)
            var (shift, last) = (7, byte)
            while last & 0x80 != 0 {
                guard let more = rest.popFirst(), shift <= 14 else { return false }
                place |= Int(more & 0x7f) << shift
                (shift, last) = (shift + 7, more)
            }
            place += next
            guard body(place) else { return true }
            next = place + 1
        }
        return true
    }

    /// Returns whether an encoded set contains the device at a position, without decoding the whole set.
    ///
    /// - Parameters:
    ///   - place: the device's position in the ``RangeChunk``.
    ///   - bytes: the result of ``encoded``.
    /// - Returns: whether the set contains the device.
    static func contains(_ place: Int, inEncoded bytes: UnsafeRawBufferPointer) -> Bool {
        guard let form = bytes.first.flatMap(Form.init(rawValue:)) else { return false }
        guard form != .bitmap else {
            return 1 + place / 8 < bytes.count && bytes[1 + place / 8] & 1 << UInt8(place % 8) != 0
        }
        var isThere = false
        _ = forEachPlace(in: bytes.dropFirst()) {
            isThere = $0 == place
            return $0 < place
        }
        return isThere
    }
}
