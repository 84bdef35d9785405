import CarillonCore

/// Deliveries that are processed one after the other but read together, with a few statements for all.
///
/// The rows of a delivery are used once, because a change to one of its pushes changes the others. The rows of a device are
/// used until a change to the device may have changed its other deliveries.
struct DeliveriesAhead {
    /// The rows that were read for one push.
    struct Reading {
        /// The row of the push, with the columns of the joined tables.
        var push: SQLRow
        /// The row of ``StoredDelivery`` that the push belongs to; `nil` for a push about no message, or one kept in bits.
        var delivery: SQLRow?
    }

    /// The numbers of the messages that the pushes are about.
    var messages: Set<Int64> { Set(readings.values.compactMap { $0.push["message"] }) }

    /// The users of the pushes' devices, from the columns `app` and `device_user`.
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

    /// Removes and returns the rows of a push.
    ///
    /// Reads them again if they may have changed. Returns `nil` if the push does not exist any more.
    mutating func take(_ number: Int64, orElse read: ([Int64]) throws -> DeliveriesAhead) rethrows -> Reading? {
        if let reading = readings.removeValue(forKey: number), !left.contains(reading.push["device"]),
            reading.name.map({ taken.insert($0).inserted }) ?? true
        {
            return reading
        }
        return try read([number]).readings[number]
    }

    /// Marks the rows of a device as outdated.
    mutating func leave(_ device: String) { left.insert(device) }

    fileprivate struct Name: Hashable {
        var message: Int64
        var device: String
    }
}

extension DeliveriesAhead.Reading {
    /// The delivery's key; `nil` for a push about no message.
    fileprivate var name: DeliveriesAhead.Name? {
        (push["message"] as Int64?).map { DeliveriesAhead.Name(message: $0, device: push["device"]) }
    }
}
