import CarillonCore

/// A message whose deliveries are kept as bitmaps (``RangeRules``), not in a row for each device.
package struct RangedMessage: Sendable, Hashable {
    /// The number of the message in the store.
    var number: Int64
    var id: MessageID
    var app: AppReference
    package var mode: DeliveryMode
    var dialect: MessageDialect
    package var revision: Int
    package var accepted: Timestamp
    /// The rules of a message in local time; `nil` for any other message.
    var local: LocalSchedule?
    var until: Timestamp?
    /// Whether the message is delivered now or never (``MessageEnd/now``).
    package var isNowOrNever = false
    package var isRecalled = false
    package var isCancelled = false
    /// Whether the message's recall asks for a notice, a push that replaces the message.
    package var hasNotice = false
    var isPaused = false
    /// The size of the range of devices that each ``RangeChunk`` of the message covers.
    ///
    /// Each device has a running number in its app. A range has this many consecutive numbers, including numbers that belong to
    /// no device.
    var chunkDevices: Int
    /// The audience as the table `ranges` stores it (``Audience/init(rangeCondition:)``); `nil` for everyone.
    var condition: String?
    /// The greatest running number of a device in the app when sending began; `nil` before.
    ///
    /// Devices with greater numbers do not get the message.
    var last: Int64?
    /// The time at which sending began; `nil` before.
    var began: Timestamp?
    /// The greatest running number of a device that the message's chunks (``RangeChunk``) cover so far.
    var planned: Int64
    /// The time at which the service began to remove the expired message from devices; `nil` before.
    package var ended: Timestamp?

    /// Returns the final state of the message's waiting pushes.
    ///
    /// - Parameters:
    ///   - rules: the sending rules, which limit the time for which a push waits.
    ///   - due: the time at which the pushes became due; `nil`, the default, if that is when the message was accepted.
    ///   - now: the present time.
    /// - Returns: `cancelled` or `expired`; `nil` if the pushes may be sent.
    func end(_ rules: SendingRules, due: Timestamp? = nil, at now: Timestamp) -> DeliveryState? {
        if isRecalled || isCancelled { return .cancelled }
        if let until, until <= now { return .expired }
        let lifetime = rules.lifetime(isNowOrNever: isNowOrNever, isRanged: true)
        return start(due: due) + lifetime <= now ? .expired : nil
    }

    /// Returns the time from which the pushes of a chunk count as queued.
    ///
    /// - Parameter due: ``RangeChunk/due``.
    /// - Returns: the time.
    func start(due: Timestamp?) -> Timestamp { due.map { max($0, accepted) } ?? accepted }

    /// Finds the ``RangeChunk`` that covers a device.
    ///
    /// - Parameter ordinal: the device's running number in its app.
    /// - Returns: `first`, the least running number that the chunk covers, and `place`, the device's position in the
    ///   chunk, counted from 0.
    func place(of ordinal: Int64) -> (first: Int64, place: Int) {
        let place = (ordinal - 1) % Int64(chunkDevices)
        return (ordinal - place, Int(place))
    }
}
