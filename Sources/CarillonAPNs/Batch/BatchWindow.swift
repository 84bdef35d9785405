import DequeModule

/// How much of a batch is in memory: a pure value. A place is taken when a notification is read and given back when its
/// outcome is taken.
struct BatchWindow: Sendable {
    let size: Int
    private(set) var taken = 0
    private var outcomes: Deque<APNsDelivery> = []
    private var ending: Ending?

    enum Ending: Sendable {
        case finished
        case failed(any Error)
    }

    enum Next: Sendable {
        case outcome(APNsDelivery)
        case wait
        case ended(Ending)
    }

    init(size: Int) { self.size = size }

    /// Whether ``next()`` would return something other than `wait`.
    var hasNews: Bool { !outcomes.isEmpty || (ending != nil && taken == 0) }

    /// Whether enough places are free to wake the reader for: a quarter of them, so that it reads many at a time.
    var isWorthFilling: Bool { size - taken >= max(1, size / 4) }

    /// - Returns: whether there was a place.
    mutating func takePlace() -> Bool {
        guard taken < size else { return false }
        taken += 1
        return true
    }

    mutating func completed(_ delivery: APNsDelivery) { outcomes.append(delivery) }

    /// There are no more notifications: the place that was taken for the next one is not needed.
    mutating func end(_ ending: Ending) {
        taken -= 1
        self.ending = ending
    }

    mutating func next() -> Next {
        if let outcome = outcomes.popFirst() {
            taken -= 1
            return .outcome(outcome)
        }
        guard let ending, taken == 0 else { return .wait }
        return .ended(ending)
    }
}
