/// A completion handler that was called when it should not have been.
struct HandlerProblem: Sendable, Hashable {
    let sentence: String

    /// - Parameters:
    ///   - count: what ``PendingAnswer/give(_:)`` said of the call.
    ///   - owner: whose completion handler it is.
    /// - Returns: `nil` for the one call that is right.
    init?(_ count: Int?, of owner: String) {
        switch count {
        case 1: return nil
        case let count?: sentence = "\(owner)'s completion handler was called again (\(count) times): call it once"
        case nil: sentence = "\(owner)'s completion handler was called late, after its time was over"
        }
    }
}
