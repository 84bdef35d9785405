import CarillonCore

/// The database rows of several pushes, read together before a call processes the pushes one by one.
///
/// Reading them together needs only a few statements. But the processing of one push may change rows that were read for a later
/// push. So ``take(_:orElse:)`` reads the rows of a push again if an earlier push had the same message and device. It also does
/// so if the device's other deliveries may have changed (``leave(_:)``).
struct DeliveriesAhead {
    /// The rows that were read for one push.
    struct Reading {
        /// The row that stores the push, with the columns of the joined tables.
        ///
        /// The table `deliveries` has one row for each push.
        var push: SQLRow
        /// The row of the delivery (``StoredDelivery``) that includes the push.
        ///
        /// The value is `nil` if the push is about no message, or if bits of a ``RangeChunk`` store the delivery.
        var delivery: SQLRow?
    }

    /// The numbers of the messages that the pushes are about.
    var messages: Set<Int64> { Set(readings.values.compactMap { $0.push["message"] }) }

    /// The numbers of the apps of the devices to which the pushes go.
    var apps: Set<Int64> { Set(readings.values.compactMap { $0.push["app"] }) }

    /// The users of the devices to which the pushes go, from the columns `app` and `device_user` of the pushes' rows.
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

    /// Combines the rows of pushes with the rows of their deliveries.
    ///
    /// The initializer leaves out a push without a number, and a delivery without message or device.
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

    /// Removes and returns the rows that were read for a push.
    ///
    /// - Parameters:
    ///   - number: the number of the push's row.
    ///   - read: a closure that reads the rows of the pushes with the given numbers. It is called if the rows are missing or may
    ///     be outdated.
    /// - Returns: the rows; `nil` if the push does not exist any more.
    mutating func take(_ number: Int64, orElse read: ([Int64]) throws -> DeliveriesAhead) rethrows -> Reading? {
        if let reading = readings.removeValue(forKey: number), !isOutdated(reading.push),
            Name(reading.push).map({ taken.insert($0).inserted }) ?? true
        {
            return reading
        }
        return try read([number]).readings[number]
    }

    /// Records that the deliveries to a device may have changed, so that ``take(_:orElse:)`` reads the device's rows again.
    mutating func leave(_ device: String) { left.insert(device) }

    private func isOutdated(_ push: SQLRow) -> Bool { push.text("device").map(left.contains) ?? true }

    /// The key of a delivery: its message and its device.
    private struct Name: Hashable {
        var message: Int64
        var device: String

        /// Reads the message's number and the device's id from a row; `nil` if the row names no message or no device.
        init?(_ row: SQLRow) {
            guard let message: Int64 = row["message"], let device: String = row["device"] else { return nil }
            (self.message, self.device) = (message, device)
        }
    }
}
