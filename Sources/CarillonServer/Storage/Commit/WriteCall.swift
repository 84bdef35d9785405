/// One call that waits for the writer: its work, and the ways to report its result.
struct WriteCall: Sendable {
    /// A function that gives the caller its result; it is called only once the result is on the disk.
    typealias Ending = @Sendable () -> Void

    /// Does the work in the group's transaction.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// Tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
