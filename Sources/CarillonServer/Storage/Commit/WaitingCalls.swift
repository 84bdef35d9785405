/// The queue of store calls that wait to run in a transaction on the writing connection.
///
/// The queue also records whether a transaction is running. Calls wait in the order of their arrival, except for calls with
/// `isFirst`, which go first.
struct WaitingCalls<Call: Sendable>: Sendable {
    /// The outcome of a call's arrival in the queue, which says what happens next.
    enum Arrival: Sendable {
        /// No transaction is running, so the caller must start one for the waiting calls.
        case startsGroup
        /// A transaction is running. The call joins it if the transaction still accepts calls, and otherwise runs in the next
        /// one.
        case waits
        /// Too many calls wait, so the call is refused and not queued.
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

    /// Adds a call to the queue.
    ///
    /// - Parameters:
    ///   - call: the call.
    ///   - isFirst: whether the call goes before all others, and is never refused. The default is false.
    /// - Returns: the outcome, which says whether the caller must start a transaction.
    mutating func arrived(_ call: Call, isFirst: Bool = false) -> Arrival {
        guard isFirst || calls.count < limit else { return .isRefused }
        calls.insert(call, at: isFirst ? 0 : calls.count)
        guard !isGroupUnderWay else { return .waits }
        isGroupUnderWay = true
        return .startsGroup
    }

    /// Removes and returns the calls at the beginning of the queue, at most `number`.
    mutating func take(atMost number: Int) -> [Call] {
        let taken = Array(calls.prefix(number))
        calls.removeFirst(taken.count)
        return taken
    }

    /// Inserts calls at the beginning of the queue again, because they were taken (``take(atMost:)``) but have not run.
    mutating func putBack(_ untouched: ArraySlice<Call>) { calls.insert(contentsOf: untouched, at: 0) }

    /// Records that the running transaction has ended.
    ///
    /// - Returns: whether the caller must start the next transaction, because calls wait.
    mutating func groupEnded() -> Bool {
        isGroupUnderWay = !calls.isEmpty
        return isGroupUnderWay
    }
}
