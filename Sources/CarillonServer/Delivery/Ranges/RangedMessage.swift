import CarillonCore

/// A message sent by ranges, with the properties that its deliveries need.
package struct RangedMessage: Sendable, Hashable {
    /// The number of the message in the store.
    var number: Int64
    var id: MessageID
    var app: AppReference
    package var mode: DeliveryMode
    var dialect: MessageDialect
    package var revision: Int
    package var accepted: Timestamp
    var until: Timestamp?
    package var isRecalled = false
    package var isCancelled = false
    /// Whether the message's recall asks for a notice.
    package var hasNotice = false
    var isPaused = false
    /// The width of a chunk, in device ordinals.
    var chunkDevices: Int
    /// The audience's condition (``Audience/init(rangeCondition:)``); `nil` for everyone.
    var condition: String?
    /// The greatest device ordinal of the app when sending began; `nil` before.
    var last: Int64?
    /// The time at which sending began; `nil` before.
    var began: Timestamp?
    /// The greatest device ordinal for which a chunk has been planned.
    var planned: Int64
    /// The time at which the removal of the expired message began; `nil` before.
    package var ended: Timestamp?

    /// Returns the final state of the pushes that still wait; `nil` if they may be sent.
    ///
    /// - Parameters:
    ///   - rules: the longest time for which a push waits.
    ///   - now: the present time.
    /// - Returns: `cancelled` or `expired`; `nil` if the pushes may be sent.
    func end(_ rules: SendingRules, at now: Timestamp) -> DeliveryState? {
        if isRecalled || isCancelled { return .cancelled }
        if let until, until <= now { return .expired }
        return accepted + rules.lifetime <= now ? .expired : nil
    }

    /// Returns the first ordinal of a device's chunk, and the device's place in the chunk.
    func place(of ordinal: Int64) -> (first: Int64, place: Int) {
        let place = (ordinal - 1) % Int64(chunkDevices)
        return (ordinal - place, Int(place))
    }
}
