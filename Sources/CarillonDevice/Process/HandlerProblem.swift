/// A mistake in the way an app calls a completion handler.
struct HandlerProblem: Sendable, Hashable {
    let sentence: String

    private init(_ sentence: String) { self.sentence = sentence }

    /// Returns the problem of a call of the handler, if there is one.
    ///
    /// - Parameters:
    ///   - count: the result of ``PendingAnswer/give(_:)`` for the call.
    ///   - name: the name of the method or process that was given the handler.
    /// - Returns: `nil` for the one call that is right.
    static func ofCall(_ count: Int?, of name: String) -> HandlerProblem? {
        switch count {
        case 1: nil
        case let count?:
            HandlerProblem("the completion handler of \(name) was called again (\(count) times): call it once")
        case nil: HandlerProblem("the completion handler of \(name) was called too late: its time was over")
        }
    }

    /// Returns the problem of a handler that is uncalled while nothing of the app is under way that could call it.
    ///
    /// - Parameters:
    ///   - name: the name of the method or process that was given the handler.
    ///   - seconds: the time that the app has, on the phone's clock.
    /// - Returns: the problem, as it is written into the trace.
    static func outstanding(_ name: String, seconds: Int) -> HandlerProblem {
        HandlerProblem(
            "the completion handler of \(name) has not been called, and nothing of the app is under way that would: only "
                + "the phone's time can end this. Let \(seconds) s of it pass to see what iOS does")
    }

    /// - Parameters:
    ///   - name: the name of the method or process that was given the handler.
    ///   - seconds: the time that the app had.
    /// - Returns: the problem, as it is written into the trace.
    static func neverCalled(_ name: String, withinSeconds seconds: Int) -> HandlerProblem {
        HandlerProblem("the completion handler of \(name) was not called within \(seconds) s")
    }
}
