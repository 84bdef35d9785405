import CarillonCore

/// A completion handler that an app must call exactly once, within a time limit; any other call is a ``HandlerProblem``.
///
/// The class is immutable, so that several parts of the phone can share a handler.
final class CompletionHandler<Value: Sendable>: Sendable {
    /// The result of the wait for the app to call its completion handler.
    enum Outcome: Sendable {
        /// The app has called the handler in time, with this argument.
        case called(Value)
        /// The app still exists but has not called the handler in time.
        case overdue
        /// The app's process ended before the app called the handler.
        case processEnded

        /// The argument of the app's call; `nil` if the app did not call the handler in time.
        var value: Value? {
            if case .called(let value) = self { return value }
            return nil
        }
    }

    /// The name of the method or process that was given the handler, such as `willPresent` or "the service extension".
    let name: String
    /// The time within which the app must call the handler, in seconds on the phone's clock.
    let seconds: Int
    let process: RunningProcess
    /// The process's permission to run in the background until the app calls the handler; `nil` if it needs none.
    let grant: ProcessGate.Grant?
    /// The closure that the app calls, on any thread.
    let call: @Sendable (Value) -> Void
    /// The closure that the phone calls with a description of each wrong call, and of a handler that is never called.
    let report: @MainActor @Sendable (HandlerProblem) -> Void

    private let answer: PendingAnswer<Value>
    private let deadline: ScheduledAction
    /// The number in ``EndActions`` of the closure that ends the wait for this handler when the process ends.
    ///
    /// It is `nil` if the process had already ended when the handler was made.
    private let endAction: Int?

    init(
        _ name: String, seconds: Int, of process: RunningProcess, grant: ProcessGate.Grant?,
        answer: PendingAnswer<Value>, deadline: ScheduledAction, endAction: Int?,
        call: @escaping @Sendable (Value) -> Void,
        report: @escaping @MainActor @Sendable (HandlerProblem) -> Void
    ) {
        self.name = name
        self.seconds = seconds
        self.process = process
        self.grant = grant
        self.answer = answer
        self.deadline = deadline
        self.endAction = endAction
        self.call = call
        self.report = report
    }

    /// Suspends until the app has called the handler, its time limit has passed, or the process has ended.
    @MainActor func outcome() async -> Outcome {
        await MainQueueExecutor.wait { continuation in whenOver { continuation.resume(returning: $0) } }
    }

    /// Calls `then` when the app has called the handler, the time limit has passed, or the process has ended.
    ///
    /// If one of these has already happened, this method calls `then` immediately.
    @MainActor func whenOver(_ then: @escaping @MainActor @Sendable (Outcome) -> Void) {
        guard !answer.isOver else { return answer.whenOver { [self] in then(ended(with: $0)) } }
        let handlers = process.kernel.handlers
        let number = handlers.began { [self] in report(.outstanding(name, seconds: seconds)) }
        // Makes tasks that wait for the phone to be at rest check again: this handler may be the only unfinished work.
        process.kernel.changed(nil)
        answer.whenOver { [self] value in
            handlers.ended(number)
            then(ended(with: value))
        }
    }

    @MainActor private func ended(with value: Value?) -> Outcome {
        deadline.cancel()
        if let endAction { process.endActions.remove(endAction) }
        guard let value else { return process.gate.phase == .ended ? .processEnded : .overdue }
        process.kernel.history.note(.request("completion of \(name)", bundleID: process.bundle.bundleID))
        return .called(value)
    }

    /// The problem to report when the outcome is `overdue`.
    var overdueProblem: HandlerProblem { .neverCalled(name, withinSeconds: seconds) }
}

/// A mistake in the way an app calls a completion handler.
struct HandlerProblem: Sendable, Hashable {
    let sentence: String

    private init(_ sentence: String) { self.sentence = sentence }

    /// Returns the problem with one call of a completion handler, if there is one.
    ///
    /// - Parameters:
    ///   - count: the number of calls so far, including this one; `nil` if the time limit had passed before the first call.
    ///   - name: the name of the method or process that received the handler.
    /// - Returns: `nil` for the one correct call.
    static func ofCall(_ count: Int?, of name: String) -> HandlerProblem? {
        switch count {
        case 1: nil
        case let count?:
            HandlerProblem("the completion handler of \(name) was called again (\(count) times): call it once")
        case nil: HandlerProblem("the completion handler of \(name) was called too late: its time was over")
        }
    }

    /// Returns a problem that has the text of an ``AppMistake``.
    static func ofMistake(_ sentence: String) -> HandlerProblem { HandlerProblem(sentence) }

    /// Returns the problem of a handler that was not called, when the app has no unfinished work that could still call it.
    ///
    /// - Parameters:
    ///   - name: the name of the method or process that received the handler.
    ///   - seconds: the app's time limit, on the phone's clock.
    /// - Returns: the problem, as written into the trace.
    static func outstanding(_ name: String, seconds: Int) -> HandlerProblem {
        HandlerProblem(
            "the completion handler of \(name) has not been called, and nothing of the app is under way that would: only "
                + "the phone's time can end this. Let \(seconds) s of it pass to see what iOS does")
    }

    /// Returns the problem of a handler that was not called in time.
    ///
    /// - Parameters:
    ///   - name: the name of the method or process that received the handler.
    ///   - seconds: the app's time limit.
    /// - Returns: the problem, as written into the trace.
    static func neverCalled(_ name: String, withinSeconds seconds: Int) -> HandlerProblem {
        HandlerProblem("the completion handler of \(name) was not called within \(seconds) s")
    }
}
