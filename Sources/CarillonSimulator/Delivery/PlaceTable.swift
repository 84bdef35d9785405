/// A hash table from values to their places, with little more than four bytes for each value.
///
/// A place is the index of a value in an array that the table's owner keeps. A dictionary would need a copy of each value and
/// eight more bytes.
struct PlaceTable: Sendable {
    /// The slots of the hash table: 0 for a free slot, otherwise a value's index plus 1.
    ///
    /// An index refers to the array of values that the table's owner keeps.
    private var slots: [UInt32] = Array(repeating: 0, count: 16)
    private var count = 0

    /// Finds a value.
    ///
    /// - Parameters:
    ///   - hash: the value's hash.
    ///   - isEqual: returns whether the value at an index of the caller's own array of values is the one to find.
    /// - Returns: the value's index in that array; `nil` if the value is not in the table.
    func place(hash: Int, where isEqual: (Int) -> Bool) -> Int? {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if isEqual(place) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a value that is not in the table.
    ///
    /// - Parameters:
    ///   - place: the value's index in the caller's own array of values; less than 2^32 - 1.
    ///   - hash: the value's hash.
    ///   - rehash: returns the hash of the value at an index of that array. It is called for all values when the table grows.
    mutating func insert(_ place: Int, hash: Int, rehash: (Int) -> Int) {
        count += 1
        if count * 4 > slots.count * 3 {
            let old = slots
            slots = Array(repeating: 0, count: old.count * 2)
            for entry in old where entry != 0 { set(entry, hash: rehash(Int(entry) - 1)) }
        }
        set(UInt32(place + 1), hash: hash)
    }

    private mutating func set(_ entry: UInt32, hash: Int) {
        var slot = hash & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = entry
    }
}
