/// A dictionary that makes its own integer keys, the ids, and stores the values in an array whose elements it reuses.
///
/// The table is faster than `Dictionary`. An id combines the index of an array element with the number of values that this
/// element has held, so the id of a removed value finds nothing.
struct SlotTable<Value: Sendable>: Sendable {
    private struct Slot: Sendable {
        var use: Int
        var value: Value?
    }

    private static var placeBits: Int { 32 }
    /// The greatest number of uses that an id can tell apart; the count then begins again at 0.
    ///
    /// An id is never negative. After two billion uses of an element, the id of a value that was removed long ago may exist
    /// again.
    private static var useMask: Int { Int(Int32.max) }

    private let firstUse: Int
    private var slots: [Slot] = []
    private var free: [Int] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Makes an empty table.
    ///
    /// - Parameter firstUse: the number of the first use of each array element. The default is 1; a test begins with a high one.
    init(firstUse: Int = 1) { self.firstUse = firstUse & Self.useMask }

    /// Returns the index of the array element that an id refers to.
    ///
    /// No two ids in use share an index.
    static func place(of id: Int) -> Int { id & (1 << placeBits - 1) }

    /// Stores a value under a new id.
    ///
    /// - Returns: the value's id.
    mutating func insert(_ value: Value) -> Int {
        count += 1
        guard let place = free.popLast() else {
            slots.append(Slot(use: firstUse, value: value))
            return firstUse << Self.placeBits | (slots.count - 1)
        }
        slots[place].use = (slots[place].use + 1) & Self.useMask
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
