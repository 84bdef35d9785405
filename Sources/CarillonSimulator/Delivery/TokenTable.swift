import CarillonCore
import Foundation

/// Stores every device token ever issued.
///
/// Each token takes some 25 bytes of memory in addition to its own bytes.
struct TokenTable: Sendable {
    typealias Owner = DeviceStore.TokenOwner

    private struct Row: Sendable {
        /// The offset of the token's first byte in `bytes`.
        let start: UInt32
        let byteCount: UInt16
        let owner: UInt16
        let device: UInt32
    }

    /// The bytes of all tokens, one after the other.
    private var bytes: [UInt8] = []
    private var rows: [Row] = []
    private var places = PlaceTable()
    /// The distinct owners of tokens: an owner is an app in one APNs environment.
    ///
    /// There are few of them.
    private var owners: [Owner] = []
    private var ends: [Int: DeviceStore.TokenEnd] = [:]
    /// The recent requests for each token, by the token's place, which is the index of its row in the table.
    ///
    /// Requests are counted only if ``DeliveryRules/requestBudget`` limits them.
    private var requests: [Int: SlidingWindow] = [:]

    /// The number of issued tokens.
    var count: Int { rows.count }

    /// Returns the entry of a token; `nil` for a token that was never issued.
    func entry(of token: DeviceToken) -> DeviceStore.TokenEntry? { place(of: token).map { self[$0] } }

    func place(of token: DeviceToken) -> Int? {
        let packed = Self.pack(token)
        return places.place(hash: Self.hash(packed[...])) { text(of: $0).elementsEqual(packed) }
    }

    subscript(place: Int) -> DeviceStore.TokenEntry {
        let row = rows[place]
        return DeviceStore.TokenEntry(device: Int(row.device), owner: owners[Int(row.owner)], end: ends[place])
    }

    /// Returns the token whose row has the index `place`.
    func token(at place: Int) -> DeviceToken? { DeviceToken(Data(text(of: place))) }

    /// Adds a token that is not in the table.
    ///
    /// - Returns: the token's place, which is the index of its row.
    mutating func insert(_ token: DeviceToken, device: Int, owner: Owner) -> Int {
        let packed = Self.pack(token)
        let place = rows.count
        rows.append(
            Row(
                start: UInt32(bytes.count), byteCount: UInt16(packed.count), owner: number(of: owner),
                device: UInt32(device)))
        bytes.append(contentsOf: packed)
        let (rows, bytes) = (rows, bytes)
        places.insert(place, hash: Self.hash(packed[...])) { place in
            let row = rows[place]
            return Self.hash(bytes[Int(row.start)..<Int(row.start) + Int(row.byteCount)])
        }
        return place
    }

    mutating func end(_ place: Int, _ end: DeviceStore.TokenEnd) { ends[place] = end }

    /// Counts a request for the token at a place (the index of its row) against the token's budget.
    ///
    /// - Returns: whether the request is within the budget.
    mutating func admitRequest(_ place: Int, under budget: DeliveryRules.Budget, at now: Timestamp) -> Bool {
        requests[place, default: SlidingWindow()].admit(under: budget, at: now) == nil
    }

    /// Returns whether the table has room for tokens of an owner: an app in one APNs environment.
    ///
    /// The table holds at most 65,535 different owners, because a row has two bytes for the owner.
    func hasRoom(for owner: Owner) -> Bool { owners.count < Int(UInt16.max) || owners.contains(owner) }

    private mutating func number(of owner: Owner) -> UInt16 {
        if let known = owners.firstIndex(of: owner) { return UInt16(known) }
        owners.append(owner)
        return UInt16(owners.count - 1)
    }

    private func text(of place: Int) -> ArraySlice<UInt8> {
        let row = rows[place]
        return bytes[Int(row.start)..<Int(row.start) + Int(row.byteCount)]
    }

    private static func pack(_ token: DeviceToken) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(token.hex.utf8.count / 2)
        var high: UInt8?
        for digit in token.hex.utf8 {
            let value = digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
            if let first = high { packed.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return packed
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> Int {
        var hasher = Hasher()
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }
}
