import CarillonCore

/// Database rows for several pushes, read with a few statements before one call processes the pushes one after the other.
///
/// Processing a push may make later rows outdated. So of the rows about one message on one device, only the first push uses them.
/// All rows of a device are read again once other deliveries to the device may have changed.
struct DeliveriesAhead {
    /// The rows that were read for one push.
    struct Reading {
        /// The row of the push in the table `deliveries`, with the columns of the joined tables.
        var push: SQLRow
        /// The row from which the push's ``StoredDelivery`` is decoded; `nil` for a push about no message, or if the delivery is
        /// stored in bits.
        var delivery: SQLRow?
    }

    /// The numbers of the messages that the pushes are about.
    var messages: Set<Int64> { Set(readings.values.compactMap { $0.push["message"] }) }

    /// The users of the devices, from the columns `app` and `device_user`.
    var users: [UserReference] {
        readings.values.compactMap { reading in
            guard let user = reading.push.text("device_user"), let app: Int64 = reading.push["app"] else { return nil }
            return UserReference(user, of: AppNumber(rawValue: app))
        }
    }

    private var readings: [Int64: Reading] = [:]
    private var taken: Set<Name> = []
    private var left: Set<String> = []

    init() {}

    /// Stores the rows of pushes, each together with the row of its delivery.
    ///
    /// A push without a number, or a delivery without message and device, is left out.
    init(pushes: [SQLRow], deliveries: [SQLRow]) {
        let named = deliveries.compactMap { row in Name(row).map { ($0, row) } }
        let known = Dictionary(named, uniquingKeysWith: { $1 })
        for push in pushes {
            guard let number: Int64 = push["number"] else { continue }
            var reading = Reading(push: push)
            reading.delivery = Name(push).flatMap { known[$0] }
            readings[number] = reading
        }
    }

    /// Removes and returns the rows of a push.
    ///
    /// - Parameters:
    ///   - number: the number of the push's row.
    ///   - read: a closure that reads the rows with the given numbers again, called if the stored rows may be outdated.
    /// - Returns: the rows; `nil` if the push does not exist any more.
    mutating func take(_ number: Int64, orElse read: ([Int64]) throws -> DeliveriesAhead) rethrows -> Reading? {
        if let reading = readings.removeValue(forKey: number), !isOutdated(reading.push),
            Name(reading.push).map({ taken.insert($0).inserted }) ?? true
        {
            return reading
        }
        return try read([number]).readings[number]
    }

    /// Records that the rows of a device may have changed, so that they must be read again.
    mutating func leave(_ device: String) { left.insert(device) }

    private func isOutdated(_ push: SQLRow) -> Bool { push.text("device").map(left.contains) ?? true }

    /// The key of a delivery: its message and its device.
    private struct Name: Hashable {
        var message: Int64
        var device: String

        /// Reads the key from a row; `nil` for a push about no message.
        init?(_ row: SQLRow) {
            guard let message: Int64 = row["message"], let device: String = row["device"] else { return nil }
            (self.message, self.device) = (message, device)
        }
    }
}
