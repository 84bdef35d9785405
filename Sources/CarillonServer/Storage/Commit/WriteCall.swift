/// A call that waits for the writer, with the functions that report its result.
struct WriteCall: Sendable {
    /// A function that passes the result of a call to its caller.
    ///
    /// The group calls this function only after its transaction is on the disk.
    typealias Ending = @Sendable () -> Void

    /// Does the call's work in the group's transaction, and returns the function that reports the result.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// Tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
