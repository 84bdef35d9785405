/// A limited number of places, one for each notification of a batch that is in memory.
///
/// The batch reserves a place before it reads a notification. The place becomes free after the consumer has used the
/// notification's outcome.
struct BatchWindow: Sendable {
    let size: Int
    private(set) var taken = 0
    private var outcomes: [APNsDelivery] = []
    /// The number of outcomes that the consumer has taken and is still using.
    private var handedOut = 0
    private var ending: Ending?

    enum Ending: Sendable {
        case finished
        case failed(any Error)
    }

    enum Next: Sendable {
        /// The next outcomes, at least one.
        case outcomes([APNsDelivery])
        case wait
        case ended(Ending)
    }

    init(size: Int) { self.size = size }

    /// Whether ``next()`` would return outcomes or the end of the batch, instead of `wait`.
    var hasNews: Bool { !outcomes.isEmpty || (ending != nil && taken == handedOut) }

    /// Whether at least a quarter of the window is free for further notifications, so that reading on is worthwhile.
    var isWorthFilling: Bool { size - taken >= max(1, size / 4) }

    /// Reserves room for as many notifications as the batch may now read into memory.
    ///
    /// - Returns: the number of notifications; 0 if less than a quarter of the window is free.
    mutating func takePlaces() -> Int {
        guard isWorthFilling else { return 0 }
        defer { taken = size }
        return size - taken
    }

    mutating func completed(_ deliveries: [APNsDelivery]) {
        if outcomes.isEmpty { outcomes = deliveries } else { outcomes += deliveries }
    }

    /// Records that the batch has no further notifications, and gives up the room that was reserved for them.
    ///
    /// - Parameters:
    ///   - ending: whether all notifications were read, or the error that ended the reading.
    ///   - places: the number of notifications for which room was reserved, but which do not exist.
    mutating func end(_ ending: Ending, unused places: Int) {
        taken -= places
        self.ending = ending
    }

    /// Returns the next outcomes, and makes room for as many notifications as the previous call returned outcomes.
    mutating func next() -> Next {
        taken -= handedOut
        handedOut = outcomes.count
        if !outcomes.isEmpty {
            defer { outcomes = [] }
            return .outcomes(outcomes)
        }
        guard let ending, taken == 0 else { return .wait }
        return .ended(ending)
    }
}
