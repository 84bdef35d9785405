/// The calls that wait for the writer, and whether a group is under way.
///
/// They wait in the order in which they came, except for those that go first.
struct WaitingCalls<Call: Sendable>: Sendable {
    /// The consequence of a call's arrival.
    enum Arrival: Sendable {
        /// A group must be started.
        case startsGroup
        /// The call waits for the group under way, or for the next one.
        case waits
        /// The call is refused, because too many wait.
        case isRefused
    }

    private var calls: [Call] = []
    private var isGroupUnderWay = false
    private let limit: Int

    /// - Parameter limit: the greatest number of waiting calls.
    init(limit: Int) { self.limit = limit }

    var count: Int { calls.count }

    /// Takes a call that has come.
    ///
    /// - Parameters:
    ///   - call: the call, which waits from now on.
    ///   - isFirst: whether it goes before all others, however many wait. The default is that it takes its turn.
    /// - Returns: the consequence.
    mutating func arrived(_ call: Call, isFirst: Bool = false) -> Arrival {
        guard isFirst || calls.count < limit else { return .isRefused }
        calls.insert(call, at: isFirst ? 0 : calls.count)
        guard !isGroupUnderWay else { return .waits }
        isGroupUnderWay = true
        return .startsGroup
    }

    /// Removes and returns the first calls.
    mutating func take(atMost number: Int) -> [Call] {
        let taken = Array(calls.prefix(number))
        calls.removeFirst(taken.count)
        return taken
    }

    /// Puts back calls that were taken and not begun, before all others.
    mutating func putBack(_ untouched: ArraySlice<Call>) { calls.insert(contentsOf: untouched, at: 0) }

    /// Ends the group.
    ///
    /// - Returns: whether the next group must be started, because calls came meanwhile.
    mutating func groupEnded() -> Bool {
        isGroupUnderWay = !calls.isEmpty
        return isGroupUnderWay
    }
}
