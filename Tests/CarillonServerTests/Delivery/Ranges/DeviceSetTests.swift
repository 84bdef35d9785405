import CarillonCore
import Foundation
import Testing

@testable import CarillonServer

@Suite("A set of a chunk's devices")
struct DeviceSetTests {
    @Test("is a set, kept and read again, however many are in it", arguments: 1...40)
    func asASet(_ seed: Int) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        func drawn(_ bound: UInt64) -> Set<Int> {
            Set((0..<chance.next() % bound).map { _ in Int(chance.next() % 4096) })
        }
        let (one, other) = (drawn(5000), drawn(UInt64(seed * 5)))
        let (first, second) = (DeviceSet(one), DeviceSet(other))
        #expect(first.places() == one.sorted() && first.count == one.count && first.isEmpty == one.isEmpty)
        #expect(first.union(second) == DeviceSet(one.union(other)))
        #expect(first.subtracting(second) == DeviceSet(one.subtracting(other)))
        #expect(first.intersection(second) == DeviceSet(one.intersection(other)))
        let from = Int(chance.next() % 4096)
        #expect(first.places(from: from, limit: 7) == Array(one.sorted().filter { $0 >= from }.prefix(7)))
        for set in [first, second] {
            let kept = set.encoded
            #expect(DeviceSet(encoded: kept) == set)
            for place in [0, from, 4095] + set.places(limit: 3) {
                let found = kept.withUnsafeBytes { DeviceSet.contains(place, inEncoded: $0) }
                #expect(found == set.contains(place), "\(place)")
            }
        }
        var removed = first
        for place in one { removed.remove(place) }
        #expect(removed == DeviceSet())
    }

    @Test("is short where few are in it, and never longer than a bit for each")
    func size() {
        #expect(DeviceSet([4095]).encoded.count == 3)
        #expect(DeviceSet(0..<4096).encoded.count == 513)
        #expect(DeviceSet().encoded.count == 1)
        // A byte for each of those that lie less than 128 apart.
        #expect(DeviceSet(Array(stride(from: 127, to: 1 << 14, by: 128))).encoded.count == 1 + 128)
        #expect(DeviceSet([0, (1 << 16) - 1]).encoded == Data([1, 0, 0xfe, 0xff, 0x03]))
    }

    @Test(
        "other bytes are no set",
        arguments: [
            [], [1], [2], [2, 3, 0], [0, 1], [1, 0x80], [1, 0x80, 0x80, 0x04], [1, 0xff, 0xff, 0xff, 0x01],
        ]
            as [[UInt8]])
    func others(_ bytes: [UInt8]) { #expect(DeviceSet(encoded: bytes) == nil) }
}
