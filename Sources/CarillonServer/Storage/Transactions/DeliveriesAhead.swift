import CarillonCore

/// Deliveries that are dealt with one after the other, and read together: a few statements for all, not some for each.
///
/// What was read of a delivery is good once, since what is done with one of its pushes changes the others. What was read of a
/// device is good until something is done with it that may change its other deliveries.
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
    private var taken: Set<Name> = []
    private var left: Set<String> = []

    init() {}

    init(pushes: [SQLRow], deliveries: [SQLRow]) {
        let known = Dictionary(
            deliveries.map { (Name(message: $0["message"], device: $0["device"]), $0) }, uniquingKeysWith: { $1 })
        for push in pushes {
            var reading = Reading(push: push)
            reading.delivery = reading.name.flatMap { known[$0] }
            readings[push["number"]] = reading
        }
    }

    /// What was read of a push, or what `read` finds where that may have changed; `nil` when there is no such push.
    mutating func take(_ number: Int64, orElse read: ([Int64]) throws -> DeliveriesAhead) rethrows -> Reading? {
        if let reading = readings.removeValue(forKey: number), !left.contains(reading.push["device"]),
            reading.name.map({ taken.insert($0).inserted }) ?? true
        {
            return reading
        }
        return try read([number]).readings[number]
    }

    /// What was read of a device may not be so any more.
    mutating func leave(_ device: String) { left.insert(device) }

    fileprivate struct Name: Hashable {
        var message: Int64
        var device: String
    }
}

extension DeliveriesAhead.Reading {
    /// The delivery; `nil` for a push that is about no message.
    fileprivate var name: DeliveriesAhead.Name? {
        (push["message"] as Int64?).map { DeliveriesAhead.Name(message: $0, device: push["device"]) }
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
            SELECT \(columns) FROM deliveries \(join) WHERE \(dialect.isAmongIntegers("deliveries.number"))
            """, arguments + [named])
        let deliveries = try rows(
            """
            SELECT \(StoredDelivery.columns) FROM deliveries AS push
                \(dialect.orderedJoin) deliveries AS show ON show.message = push.message AND show.device = push.device
                    AND show.purpose = 'show'
                \(StoredDelivery.join)
            WHERE \(dialect.isAmongIntegers("push.number"))
            """, [named])
        return DeliveriesAhead(pushes: pushes, deliveries: deliveries)
    }

    /// The delivery to which a push belongs that is about a message; `nil` when there is none any more.
    func delivery(of reading: DeliveriesAhead.Reading) throws -> StoredDelivery? {
        if let row = reading.delivery { return try StoredDelivery(row) }
        return try rangedDelivery(of: reading.push["message"], on: reading.push["device"])
    }
}
