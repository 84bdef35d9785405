import CarillonCore

/// Deliveries that are dealt with one after the other, and read together: a few statements for all, not some for each.
///
/// What was read of a device is good once. What is done with it may change what else was read of it, so whatever comes later
/// is read anew.
struct DeliveriesAhead {
    /// What was read of one push.
    struct Reading {
        /// The row of the push, and what its statement has joined to it.
        var push: SQLRow
        /// The row of ``StoredDelivery`` to which it belongs; `nil` for one that is about no message, or has bits.
        var delivery: SQLRow?
    }

    /// The messages that the pushes are about, by their numbers.
    var messages: Set<Int64> { Set(readings.values.compactMap { $0.push["message"] }) }

    private var readings: [Int64: Reading] = [:]
    private var seen: Set<String> = []

    init() {}

    init(pushes: [SQLRow], deliveries: [SQLRow]) {
        let known = Dictionary(
            deliveries.map { (Name(message: $0["message"], device: $0["device"]), $0) }, uniquingKeysWith: { $1 })
        for push in pushes {
            let name = (push["message"] as Int64?).map { Name(message: $0, device: push["device"]) }
            readings[push["number"]] = Reading(push: push, delivery: name.flatMap { known[$0] })
        }
    }

    /// What was read of a push, or what `read` finds where that may have changed; `nil` when there is no such push.
    mutating func take(_ number: Int64, orElse read: ([Int64]) throws -> DeliveriesAhead) rethrows -> Reading? {
        if let reading = readings.removeValue(forKey: number), seen.insert(reading.push["device"]).inserted {
            return reading
        }
        return try read([number]).readings[number]
    }

    /// Something else was done with a device.
    mutating func leave(_ device: String) { seen.insert(device) }

    private struct Name: Hashable {
        var message: Int64
        var device: String
    }
}

extension StoreTransaction {
    /// Reads pushes, and the deliveries to which they belong.
    ///
    /// - Parameters:
    ///   - numbers: of their rows.
    ///   - columns: what is read of each, from `deliveries` and `join`; at least `number`, `message`, `device`.
    ///   - join: the tables that are joined to `deliveries`.
    ///   - arguments: the values of the question marks in `columns`.
    /// - Returns: what there is of them.
    /// - Throws: what the engine does; not what cannot be read.
    func readAhead(
        _ numbers: [Int64], _ columns: String, _ join: String, _ arguments: SQLArguments = []
    ) throws -> DeliveriesAhead {
        guard !numbers.isEmpty else { return DeliveriesAhead() }
        let named = Self.integers(numbers)
        let pushes = try rows(
            """
            SELECT \(columns) FROM \(dialect.integersOfJSON) AS named
                \(dialect.orderedJoin) deliveries ON deliveries.number = named.value \(join)
            """, arguments + [named])
        let deliveries = try rows(
            """
            SELECT \(StoredDelivery.columns) FROM \(dialect.integersOfJSON) AS named
                \(dialect.orderedJoin) deliveries AS push ON push.number = named.value
                \(dialect.orderedJoin) deliveries AS show ON show.message = push.message AND show.device = push.device
                    AND show.purpose = 'show'
                \(StoredDelivery.join)
            """, [named])
        return DeliveriesAhead(pushes: pushes, deliveries: deliveries)
    }

    /// The delivery to which a push belongs that is about a message; `nil` when there is none any more.
    func delivery(of reading: DeliveriesAhead.Reading) throws -> StoredDelivery? {
        if let row = reading.delivery { return try StoredDelivery(row) }
        return try rangedDelivery(of: reading.push["message"], on: reading.push["device"])
    }
}
