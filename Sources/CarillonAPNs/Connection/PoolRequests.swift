import CarillonCore
import DequeModule

/// The requests of a ``Pool``: those that are queued, in the order of sending, and those that a connection has.
///
/// The deadline of each request is here too. ``queuedCount`` is always the number of requests whose place is
/// ``Request/Place/queued``.
struct PoolRequests: Sendable {
    struct Request: Sendable {
        enum Place: Sendable, Equatable {
            case queued
            case sent(ConnectionID, StreamID)
        }

        /// The size of the request's body, in bytes.
        let byteCount: Int
        /// The size limit of a successful answer's JSON, in bytes; `nil` for a push, whose answer has no body.
        let answerByteLimit: Int?
        /// The time at which the request fails, on the monotonic clock.
        let deadline: Timestamp
        fileprivate(set) var place = Place.queued
        /// The number of times that the request has been given to a connection.
        fileprivate(set) var sends = 0

        /// Returns the action that ends the request although its answer is not complete.
        ///
        /// The status 200 says that a push was accepted, even if the server contradicts itself afterwards, or the connection is
        /// lost. To send the push again would be to send it twice. Any other answer needs its body.
        ///
        /// - Parameters:
        ///   - id: the request's id.
        ///   - head: the head of the answer; `nil` if none has come.
        ///   - error: the error for the caller if the head is not enough.
        /// - Returns: the answer, or the failure with `error`.
        func end(_ id: RequestID, _ head: APNsAnswerHead?, or error: APNsError) -> PoolAction {
            guard let head, head.status == 200, answerByteLimit == nil else { return .fail(id, error) }
            return .answer(id, APNsAnswer(head: head, error: nil))
        }
    }

    private var requests = SlotTable<Request>()
    /// The queued requests in the order of sending.
    ///
    /// The queue may still contain ended requests.
    private var queue: Deque<RequestID> = []
    private var deadlines = DeadlineQueue()
    private(set) var queuedCount = 0

    var count: Int { requests.count }
    var isEmpty: Bool { requests.isEmpty }
    /// The earliest deadline, which may be the deadline of an ended request; `nil` if there is none.
    var earliestDeadline: Timestamp? { deadlines.earliest }
    /// The number of entries in the queues, including entries of ended requests.
    var entryCount: Int { queue.count + deadlines.count }

    subscript(id: RequestID) -> Request? { requests[id] }

    /// Returns an id for a request that is refused at once.
    mutating func refuse(_ request: Request) -> RequestID {
        let id = requests.insert(request)
        requests.remove(id)
        return id
    }

    /// Appends a request to the queue.
    mutating func append(_ request: Request) -> RequestID {
        let id = requests.insert(request)
        queue.append(id)
        queuedCount += 1
        deadlines.insert(id, deadline: request.deadline)
        compact()
        return id
    }

    /// Takes the next queued request out of the queue.
    ///
    /// The caller must either send the request or remove it.
    mutating func popQueued() -> RequestID? {
        while let id = queue.popFirst() {
            if requests[id]?.place == .queued { return id }
        }
        return nil
    }

    /// Records that a request has been given to a connection.
    mutating func sent(_ id: RequestID, on connection: ConnectionID, _ stream: StreamID) {
        guard let request = requests[id] else { return }
        if request.place == .queued { queuedCount -= 1 }
        requests[id]?.place = .sent(connection, stream)
        requests[id]?.sends += 1
        assert(queuedCount >= 0 && queuedCount <= requests.count)
    }

    /// Puts a request back at the front of the queue, because APNs certainly did not process it.
    ///
    /// If the request has already been sent again `resends` times, it is removed instead.
    ///
    /// - Returns: the action that reports the failure; `nil` if the request was put back or has ended.
    mutating func putBack(_ id: RequestID, resends: Int, why: String) -> PoolAction? {
        guard let request = requests[id], request.place != .queued else { return nil }
        guard request.sends <= resends else {
            remove(id)
            return .fail(
                id, .notSent("APNs did not take the notification in \(request.sends) attempts; the last time: \(why)."))
        }
        requests[id]?.place = .queued
        queue.prepend(id)
        queuedCount += 1
        return nil
    }

    /// Removes and returns a request, wherever it is; returns `nil` if it has ended.
    @discardableResult
    mutating func remove(_ id: RequestID) -> Request? {
        guard let request = requests.remove(id) else { return nil }
        if request.place == .queued { queuedCount -= 1 }
        return request
    }

    /// Removes and returns all requests, in no particular order.
    mutating func removeAll() -> [(id: RequestID, request: Request)] {
        defer { queue.removeAll() }
        return requests.ids.compactMap { id in remove(id).map { (id, $0) } }
    }

    /// Removes and returns the earliest entry whose deadline is `now` or earlier; its request may have ended.
    mutating func popDue(at now: Timestamp) -> RequestID? { deadlines.popDue(at: now) }

    /// Removes ended requests from the queues if they are more than half of the entries.
    ///
    /// A request that ends stays in the queues until they are compacted, because a search for it would cost time.
    private mutating func compact() {
        deadlines.compact(openRequests: requests.count) { requests[$0] != nil }
        guard queue.count > 2 * queuedCount + ClientLimits.endedEntriesKept else { return }
        queue.removeAll { requests[$0]?.place != .queued }
    }
}
