/// A call that waits for the writer, with functions that report its result.
struct WriteCall: Sendable {
    /// A function that passes the result to the caller.
    ///
    /// It is called only after the result is on the disk.
    typealias Ending = @Sendable () -> Void

    /// Does the work in the group's transaction.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// Tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
