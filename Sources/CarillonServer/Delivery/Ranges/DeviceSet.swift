import Foundation

/// Some of the devices of a chunk, by their places in it, which count from 0.
///
/// It is kept as a list where few are in it, and as a bitmap where many are.
package struct DeviceSet: Sendable, Hashable {
    /// 64 places each; the last is not 0, so that equal sets are equal values.
    private var words: [UInt64] = []

    package init() {}

    package init(_ places: some Sequence<Int>) { for place in places { insert(place) } }

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

    /// The first of its places from one on, in their order.
    ///
    /// - Parameters:
    ///   - first: the least place that counts. The default is 0.
    ///   - limit: how many at most. The default is all.
    /// - Returns: the places.
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

/// How it is kept.
extension DeviceSet {
    private enum Form: UInt8 {
        /// Words of eight bytes, the least significant first.
        case bitmap = 0
        /// The places, two bytes each.
        case list = 1
    }

    package var encoded: Data {
        let count = count
        let isSparse = count * 2 < words.count * 8
        // Appending to `Data` would cost more than all else.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1 + (isSparse ? count * 2 : words.count * 8))
        bytes.append(isSparse ? Form.list.rawValue : Form.bitmap.rawValue)
        if isSparse {
            for place in places() {
                bytes.append(UInt8(place & 0xff))
                bytes.append(UInt8(place >> 8 & 0xff))
            }
        } else {
            words.map(\.littleEndian).withUnsafeBytes { bytes.append(contentsOf: $0) }
        }
        return Data(bytes)
    }

    /// One that was kept; `nil` for other bytes than ``encoded`` returns.
    package init?(encoded data: some Collection<UInt8>) {
        guard let form = data.first.flatMap(Form.init(rawValue:)) else { return nil }
        let bytes = Array(data.dropFirst())
        switch form {
        case .list:
            guard bytes.count.isMultiple(of: 2) else { return nil }
            for index in stride(from: 0, to: bytes.count, by: 2) {
                insert(Int(bytes[index]) | Int(bytes[index + 1]) << 8)
            }
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

    /// Whether a place is in one that was kept, without reading all of it; not for other bytes than ``encoded`` returns.
    static func contains(_ place: Int, inEncoded bytes: UnsafeRawBufferPointer) -> Bool {
        switch bytes.first.flatMap(Form.init(rawValue:)) {
        case .bitmap: 1 + place / 8 < bytes.count && bytes[1 + place / 8] & 1 << UInt8(place % 8) != 0
        case .list:
            stride(from: 1, to: bytes.count - 1, by: 2).contains { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 == place }
        case nil: false
        }
    }
}
