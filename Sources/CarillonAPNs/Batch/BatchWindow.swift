/// A limited number of places for the notifications of a batch that are in memory.
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

    /// Whether at least a quarter of the places is free, so that waking the reader is worthwhile.
    var isWorthFilling: Bool { size - taken >= max(1, size / 4) }

    /// Takes all free places.
    ///
    /// - Returns: the number of places; 0 if fewer than a quarter of all places are free.
    mutating func takePlaces() -> Int {
        guard isWorthFilling else { return 0 }
        defer { taken = size }
        return size - taken
    }

    mutating func completed(_ deliveries: [APNsDelivery]) {
        if outcomes.isEmpty { outcomes = deliveries } else { outcomes += deliveries }
    }

    /// Records that no more notifications come, and frees the places that were reserved in vain.
    ///
    /// - Parameters:
    ///   - ending: the end of the sequence, or its error.
    ///   - places: the number of reserved places without a notification.
    mutating func end(_ ending: Ending, unused places: Int) {
        taken -= places
        self.ending = ending
    }

    /// Frees the places of the outcomes that the last call returned, and returns the next outcomes.
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
