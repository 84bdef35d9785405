/// The calls that wait for the writer, in the order in which they came but for those that go first, and whether a group is under
/// way.
struct WaitingCalls<Call: Sendable>: Sendable {
    /// What follows from a call that arrives.
    enum Arrival: Sendable {
        /// A group must be started.
        case startsGroup
        /// The group under way takes it, or the one after.
        case waits
        /// There are too many.
        case isRefused
    }

    private var calls: [Call] = []
    private var isGroupUnderWay = false
    private let limit: Int

    /// - Parameter limit: calls that may wait at once.
    init(limit: Int) { self.limit = limit }

    var count: Int { calls.count }

    /// A call has come.
    ///
    /// - Parameters:
    ///   - call: waits from now on.
    ///   - isFirst: whether it goes before all others, however many wait. The default is that it takes its turn.
    /// - Returns: what follows.
    mutating func arrived(_ call: Call, isFirst: Bool = false) -> Arrival {
        guard isFirst || calls.count < limit else { return .isRefused }
        calls.insert(call, at: isFirst ? 0 : calls.count)
        guard !isGroupUnderWay else { return .waits }
        isGroupUnderWay = true
        return .startsGroup
    }

    /// The oldest calls, which no longer wait.
    mutating func take(atMost number: Int) -> [Call] {
        let taken = Array(calls.prefix(number))
        calls.removeFirst(taken.count)
        return taken
    }

    /// Calls that were taken and not begun come first again.
    mutating func putBack(_ untouched: ArraySlice<Call>) { calls.insert(contentsOf: untouched, at: 0) }

    /// - Returns: whether the next group must be started, because calls came meanwhile.
    mutating func groupEnded() -> Bool {
        isGroupUnderWay = !calls.isEmpty
        return isGroupUnderWay
    }
}
