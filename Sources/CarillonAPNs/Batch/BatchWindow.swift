/// The part of a batch that is in memory: a pure value.
///
/// A place is taken when a notification is to be read and given back when the consumer has used its outcome, which it
/// takes many at a time.
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

    /// Whether ``next()`` would return something other than `wait`.
    var hasNews: Bool { !outcomes.isEmpty || (ending != nil && taken == handedOut) }

    /// Whether a quarter of the places is free, which is enough to wake the reader, so that it reads many at a time.
    var isWorthFilling: Bool { size - taken >= max(1, size / 4) }

    /// Takes all places that are free.
    ///
    /// - Returns: the number of places; 0 while there are too few to be worth it.
    mutating func takePlaces() -> Int {
        guard isWorthFilling else { return 0 }
        defer { taken = size }
        return size - taken
    }

    mutating func completed(_ deliveries: [APNsDelivery]) {
        if outcomes.isEmpty { outcomes = deliveries } else { outcomes += deliveries }
    }

    /// Ends the window: no more notifications come, and these places are not needed.
    mutating func end(_ ending: Ending, unused places: Int) {
        taken -= places
        self.ending = ending
    }

    /// Takes back the outcomes given before, which the consumer has used, and returns the next.
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
