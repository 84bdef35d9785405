/// A dictionary that makes its own integer keys, the ids, and stores the values in an array whose elements it reuses.
///
/// The table is faster than `Dictionary`. An id combines an array index with the number of values that this element has held,
/// so the id of a removed value finds nothing.
struct SlotTable<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        var use: Int
        var value: Value?
    }

    private static var placeBits: Int { 32 }

    private var slots: [Slot] = []
    private var free: [Int] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Returns the array index in an id.
    ///
    /// No two ids in use share an index.
    static func place(of id: Int) -> Int { id & (1 << placeBits - 1) }

    /// Stores a value under a new id.
    ///
    /// - Returns: the value's id.
    mutating func insert(_ value: Value) -> Int {
        count += 1
        guard let place = free.popLast() else {
            slots.append(Slot(use: 1, value: value))
            return 1 << Self.placeBits | (slots.count - 1)
        }
        slots[place].use += 1
        slots[place].value = value
        return slots[place].use << Self.placeBits | place
    }

    @discardableResult
    mutating func remove(_ id: Int) -> Value? {
        guard let place = index(of: id), let value = slots[place].value else { return nil }
        slots[place].value = nil
        free.append(place)
        count -= 1
        return value
    }

    subscript(id: Int) -> Value? {
        get { index(of: id).flatMap { slots[$0].value } }
        _modify {
            if let place = index(of: id) {
                yield &slots[place].value
            } else {
                var nothing: Value?
                yield &nothing
            }
        }
    }

    /// The ids in use, in no particular order.
    var ids: [Int] {
        slots.indices.compactMap { slots[$0].value == nil ? nil : slots[$0].use << Self.placeBits | $0 }
    }

    private func index(of id: Int) -> Int? {
        let place = Self.place(of: id)
        guard place < slots.count, slots[place].use == id >> Self.placeBits else { return nil }
        return place
    }
}
