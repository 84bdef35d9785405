/// What came of a transaction whose commit was not answered, by what the server says of its number afterwards.
///
/// A server that has crashed gives numbers out again of which nothing had reached its log: that such a number is committed
/// says nothing about who had it first.
enum CommitOutcome: Hashable {
    case committed
    /// It has never happened, and can be run again.
    case undone
    /// The server is still at it.
    case pending
    case unknown

    /// - Parameters:
    ///   - status: what [`pg_xact_status`](https://www.postgresql.org/docs/current/functions-info.html) says; empty where the
    ///     server has forgotten.
    ///   - hasCrashed: whether the server has crashed, or may have, since the transaction began.
    init(status: String, hasCrashed: Bool) {
        switch status {
        case "committed": self = hasCrashed ? .unknown : .committed
        case "aborted": self = .undone
        case "in progress": self = .pending
        default: self = .unknown
        }
    }

    /// - Parameter error: why the server could not say it. A number that it has yet to give out has left nothing in its log;
    ///   whatever else it is, it may say it the next time.
    init(_ error: any Error) {
        let state = (error as? PostgreSQLError)?.state
        self = state == PostgreSQLError.invalidParameter ? .undone : .pending
    }
}
