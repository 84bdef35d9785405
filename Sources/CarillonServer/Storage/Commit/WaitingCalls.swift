/// The queue of calls that wait for the writer, with the information whether a group is running.
///
/// Calls wait in the order of their arrival, except for calls with `isFirst`.
struct WaitingCalls<Call: Sendable>: Sendable {
    /// The next step after a call's arrival.
    enum Arrival: Sendable {
        /// The caller must start a group.
        case startsGroup
        /// The call waits for the running group, or for the next one.
        case waits
        /// The call is refused, because too many calls wait.
        case isRefused
    }

    private var calls: [Call] = []
    private var isGroupUnderWay = false
    private let limit: Int

    /// Makes an empty queue.
    ///
    /// - Parameter limit: the greatest number of waiting calls.
    init(limit: Int) { self.limit = limit }

    var count: Int { calls.count }

    /// Adds a call.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - isFirst: whether the call goes before all others, and is never refused. The default is false.
    /// - Returns: the next step.
    mutating func arrived(_ call: Call, isFirst: Bool = false) -> Arrival {
        guard isFirst || calls.count < limit else { return .isRefused }
        calls.insert(call, at: isFirst ? 0 : calls.count)
        guard !isGroupUnderWay else { return .waits }
        isGroupUnderWay = true
        return .startsGroup
    }

    /// Removes and returns the first calls, at most `number`.
    mutating func take(atMost number: Int) -> [Call] {
        let taken = Array(calls.prefix(number))
        calls.removeFirst(taken.count)
        return taken
    }

    /// Puts back calls that were taken but not started, before all others.
    mutating func putBack(_ untouched: ArraySlice<Call>) { calls.insert(contentsOf: untouched, at: 0) }

    /// Ends the running group.
    ///
    /// - Returns: whether to start the next group, because calls wait.
    mutating func groupEnded() -> Bool {
        isGroupUnderWay = !calls.isEmpty
        return isGroupUnderWay
    }
}
