import CarillonCore

/// The lane of the receipts of Live Activities, and of the question which states are the newest.
///
/// The service keeps the newest event of each kind. So an event that waits gives way to a later one of its kind.
package struct ActivityReports: RequestLane, Sendable, Hashable, Codable {
    /// A Live Activity that the service was told of.
    private struct Known: Sendable, Hashable, Codable {
        var type: String
        var id: String
        /// Whether the Live Activity is on the screen.
        var isPresent = false
        /// The last of the events `stale`, `ended` and `dismissed`; `nil` while the Live Activity is active.
        var state: LiveActivityReceipt.Event?
        /// The greatest timestamp of content that was shown.
        var shown: Int64?
        /// The greatest timestamp of content that could not be decoded.
        var unreadable: Int64?
    }

    /// The receipts that wait, oldest first.
    package private(set) var pending: [LiveActivityReceipt] = []
    package var backoff = RetryState()
    private var known: [Known] = []
    /// The number of the newest question; each change of the screen or the app needs an answer that is given after it.
    package private(set) var question = 0
    /// The number of the question that was sent last.
    private var sentQuestion = 0
    /// The number of the newest question that was answered.
    private var answeredQuestion = 0
    /// The number of the newest question that does not wait for ``asksFrom``; `nil` after its answer.
    private var urgentQuestion: Int?
    /// The phone's time before which no further question is sent; `nil` before the first answer.
    private var asksFrom: Timestamp?

    package init() {}

    // MARK: Observations

    /// Records that a Live Activity is on the screen.
    ///
    /// - Parameters:
    ///   - type: the name of the app's type of attributes.
    ///   - id: the backend's name for the Live Activity.
    ///   - serviceNow: the service's time.
    package mutating func started(_ type: String, _ id: String, at serviceNow: Timestamp) {
        ask()
        let index = place(of: type, id)
        guard !known[index].isPresent else { return }
        known[index].isPresent = true
        known[index].state = nil
        add(.started, known[index], at: serviceNow)
    }

    /// Records the state of a Live Activity: `stale`, `ended` or `dismissed`, or `nil` for an active one.
    package mutating func changed(
        to state: LiveActivityReceipt.Event?, _ type: String, _ id: String, at serviceNow: Timestamp
    ) {
        let index = place(of: type, id)
        guard known[index].isPresent, known[index].state != state else { return }
        known[index].state = state
        if let state { add(state, known[index], at: serviceNow) }
        if state == .dismissed { known[index].isPresent = false }
    }

    /// Records that of a type only these Live Activities are left on the screen, by the backend's names.
    package mutating func keep(only ids: Set<String>, of type: String, at serviceNow: Timestamp) {
        for one in known where one.type == type && one.isPresent && !ids.contains(one.id) {
            changed(to: .dismissed, type, one.id, at: serviceNow)
        }
    }

    /// Records that the screen shows a state of the service.
    package mutating func shows(_ state: LiveActivityStates.State, at serviceNow: Timestamp) {
        let index = place(of: state.type, state.id)
        guard known[index].shown.map({ $0 < state.timestamp }) ?? true else { return }
        known[index].shown = state.timestamp
        add(.updated, known[index], at: serviceNow, state.timestamp)
    }

    /// Records that the app's type cannot decode a state of the service.
    ///
    /// - Parameters:
    ///   - state: the state.
    ///   - why: the key, and the reason.
    ///   - serviceNow: the service's time.
    package mutating func cannotDecode(_ state: LiveActivityStates.State, _ why: String, at serviceNow: Timestamp) {
        let index = place(of: state.type, state.id)
        guard known[index].unreadable.map({ $0 < state.timestamp }) ?? true else { return }
        known[index].unreadable = state.timestamp
        add(
            .undecodable, known[index], at: serviceNow, state.timestamp,
            ReceiptQueue.cut(why, toBytes: LiveActivityReceipt.detailByteLimit))
    }

    /// Forgets everything but the number of the newest question, because the user has signed out.
    package mutating func clear() {
        let question = question
        self = ActivityReports()
        (self.question, sentQuestion, answeredQuestion) = (question, question, question)
    }

    private mutating func place(of type: String, _ id: String) -> Int {
        if let index = known.firstIndex(where: { $0.type == type && $0.id == id }) { return index }
        if known.count == LiveActivityReceipt.limit { known.removeFirst() }
        known.append(Known(type: type, id: id))
        return known.count - 1
    }

    private mutating func add(
        _ event: LiveActivityReceipt.Event, _ one: Known, at moment: Timestamp, _ timestamp: Int64? = nil,
        _ detail: String? = nil
    ) {
        pending.removeAll { $0.type == one.type && $0.id == one.id && $0.event == event }
        pending.append(
            LiveActivityReceipt(
                type: one.type, id: one.id, event: event, at: moment, timestamp: timestamp, detail: detail))
        if pending.count > LiveActivityReceipt.limit { pending.removeFirst() }
    }

    // MARK: The lane

    /// Records that the newest states are needed.
    ///
    /// - Parameter isUrgent: whether the question is sent before the usual time between two questions has passed.
    package mutating func ask(isUrgent: Bool = false) {
        // A question that has not been sent is answered as well as a further one.
        if question == max(sentQuestion, answeredQuestion) { question += 1 }
        if isUrgent { urgentQuestion = question }
    }

    private var isAsking: Bool { question > answeredQuestion }
    package var hasWork: Bool { isAsking || !pending.isEmpty }

    /// Returns whether a request may be sent now: no back-off lasts, and a receipt waits or it is time for a question.
    package func isDue(at phoneNow: Timestamp) -> Bool {
        hasWork && backoff.mayTry(at: phoneNow) && (!pending.isEmpty || questionTime(at: phoneNow) == nil)
    }

    /// Returns the time of the next attempt; `nil` if nothing waits, or if nothing delays it.
    package func nextAttempt(at phoneNow: Timestamp) -> Timestamp? {
        guard hasWork else { return nil }
        return backoff.end(at: phoneNow) ?? (pending.isEmpty ? questionTime(at: phoneNow) : nil)
    }

    private func questionTime(at phoneNow: Timestamp) -> Timestamp? {
        guard urgentQuestion == nil else { return nil }
        // A phone whose clock was set back must not wait until it reaches the old time.
        guard let asksFrom, phoneNow < asksFrom, asksFrom - phoneNow <= AppLimits.activityQuestionInterval else {
            return nil
        }
        return asksFrom
    }

    /// Records that a request is sent, which asks the newest question.
    package mutating func began() { sentQuestion = question }

    /// Records that the service has answered a request.
    ///
    /// - Parameters:
    ///   - sent: the request's receipts.
    ///   - asked: the number of the newest question at the time at which the request was sent.
    ///   - phoneNow: the phone's time.
    package mutating func answered(_ sent: [LiveActivityReceipt], _ asked: Int, at phoneNow: Timestamp) {
        pending.removeAll { sent.contains($0) }
        answeredQuestion = max(answeredQuestion, asked)
        if let urgent = urgentQuestion, urgent <= asked { urgentQuestion = nil }
        asksFrom = phoneNow + AppLimits.activityQuestionInterval
        backoff.succeeded()
    }

    /// Records that a request has failed; drops receipts that the service refuses for good.
    package mutating func failed(_ sent: [LiveActivityReceipt], _ failure: RequestFailure) {
        if failure.isUnknownInstallation { return }
        if failure.isFinal { pending.removeAll { sent.contains($0) } }
        backoff.failed(failure)
    }
}
