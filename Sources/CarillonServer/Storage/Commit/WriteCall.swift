/// One call that waits for the writer: what it does, and whom to tell.
struct WriteCall: Sendable {
    /// Tells the caller its result; called when the result is on the disk, and not before.
    typealias Ending = @Sendable () -> Void

    /// Does the work in the group's transaction.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// Tells the caller that nothing was changed.
    let fail: @Sendable (any Error) -> Void
}
