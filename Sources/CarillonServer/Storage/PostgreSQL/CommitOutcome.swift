/// The outcome of a transaction whose commit was not answered, by the state of its number on the server.
///
/// A server that has crashed reuses numbers that had not reached its log. So a committed number proves nothing about the
/// transaction that had it first.
enum CommitOutcome: Hashable {
    case committed
    /// The transaction was rolled back or never happened, and can be run again.
    case undone
    /// The transaction is still in progress on the server.
    case pending
    case unknown

    /// - Parameters:
    ///   - status: the answer of [`pg_xact_status`](https://www.postgresql.org/docs/current/functions-info.html); empty if the
    ///     server has forgotten the number.
    ///   - hasCrashed: whether the server has crashed, or may have, since the transaction began.
    init(status: String, hasCrashed: Bool) {
        switch status {
        case "committed": self = hasCrashed ? .unknown : .committed
        case "aborted": self = .undone
        case "in progress": self = .pending
        default: self = .unknown
        }
    }

    /// - Parameter error: the server's error. A number that it has not given out yet has left nothing in its log; after any
    ///   other error, a later question may be answered.
    init(_ error: any Error) {
        let state = (error as? PostgreSQLError)?.state
        self = state == PostgreSQLError.invalidParameter ? .undone : .pending
    }
}
