import CarillonCore

/// A completion handler that an app is handed: the first call in time counts, and every other is a problem.
struct CompletionHandler<Value: Sendable>: Sendable {
    /// How the time for the call has ended.
    enum Outcome: Sendable {
        case called(Value)
        /// The app still exists and has not called it in time.
        case overdue
        /// The process ended first.
        case processEnded

        /// `nil` when it was not called in time.
        var value: Value? {
            if case .called(let value) = self { return value }
            return nil
        }
    }

    /// Whose completion handler it is: `willPresent`, "the service extension".
    let name: String
    /// How long the app may take, on the phone's clock.
    let seconds: Int
    let process: RunningProcess
    /// Why the process may run in the background meanwhile; `nil` where it has another reason.
    let grant: ProcessGate.Grant?
    /// What the app calls, from any thread.
    let call: @Sendable (Value) -> Void
    /// Told of each call that should not have been, and of the one that never came.
    let report: @MainActor @Sendable (Phone, HandlerProblem) -> Void

    private let answer: PendingAnswer<Value>
    private let deadline: ScheduledAction

    init(
        _ name: String, seconds: Int, of process: RunningProcess, grant: ProcessGate.Grant?,
        answer: PendingAnswer<Value>, deadline: ScheduledAction, call: @escaping @Sendable (Value) -> Void,
        report: @escaping @MainActor @Sendable (Phone, HandlerProblem) -> Void
    ) {
        self.name = name
        self.seconds = seconds
        self.process = process
        self.grant = grant
        self.answer = answer
        self.deadline = deadline
        self.call = call
        self.report = report
    }

    /// Suspends until the app has called it, its time is over, or the process has ended.
    @MainActor func outcome() async -> Outcome {
        let value = await answer.wait()
        deadline.cancel()
        if let value { return .called(value) }
        return process.gate.phase == .ended ? .processEnded : .overdue
    }

    /// What is wrong when the outcome is `overdue`.
    var overdueProblem: HandlerProblem { .neverCalled(name, withinSeconds: seconds) }
}
