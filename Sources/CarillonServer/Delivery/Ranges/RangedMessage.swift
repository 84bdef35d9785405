import CarillonCore

/// A message that is sent by ranges, as far as its deliveries ask for it.
package struct RangedMessage: Sendable, Hashable {
    /// Its number within the store.
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
    /// Whether its recall leaves a notice.
    package var hasNotice = false
    var isPaused = false
    /// Devices of a chunk.
    var chunkDevices: Int
    /// Whom it is for (``Audience/init(rangeCondition:)``); `nil` for everyone.
    var condition: String?
    /// The greatest ordinal when sending began; `nil` before.
    var last: Int64?
    /// When sending began.
    var began: Timestamp?
    /// Up to this ordinal the devices are decided on.
    var planned: Int64
    /// When what follows from its `until` was begun.
    package var ended: Timestamp?

    /// What becomes of those who wait; `nil` when they may be sent to.
    ///
    /// - Parameters:
    ///   - rules: how long a push waits at most.
    ///   - now: the moment.
    /// - Returns: the state in which their pushes end.
    func end(_ rules: SendingRules, at now: Timestamp) -> DeliveryState? {
        if isRecalled || isCancelled { return .cancelled }
        if let until, until <= now { return .expired }
        return accepted + rules.lifetime <= now ? .expired : nil
    }

    /// Where a device is, by its ordinal.
    func place(of ordinal: Int64) -> (first: Int64, place: Int) {
        let place = (ordinal - 1) % Int64(chunkDevices)
        return (ordinal - place, Int(place))
    }
}
