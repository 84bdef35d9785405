import CarillonCore

/// Deliveries that are dealt with one after the other, and read together: a few statements for all, not some for each.
///
/// What was read of a delivery is good once, since what is done with one of its pushes changes the others. What was read of a
/// device is good until something is done with it that may change its other deliveries.
struct DeliveriesAhead {
    /// The rows that were read of one push.
    struct Reading {
        /// The row of the push, and what its statement has joined to it.
        var push: SQLRow
        /// The row of ``StoredDelivery`` to which it belongs; `nil` for one that is about no message, or has bits.
        var delivery: SQLRow?
    }

    /// The messages that the pushes are about, by their numbers.
    var messages: Set<Int64> { Set(readings.values.compactMap { $0.push["message"] }) }

    /// The users of the devices that they go to, from the columns `app` and `device_user`.
    var users: [UserReference] {
        readings.values.compactMap { reading in
            reading.push.text("device_user").map { UserReference($0, of: AppNumber(rawValue: reading.push["app"])) }
        }
    }

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

    /// Forgets what was read of a device, because it may have changed.
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
