/// A store call that waits for the writing connection, with the functions that report its result.
struct WriteCall: Sendable {
    /// A function that passes the result of a call to its caller.
    ///
    /// It is called only after the call's transaction is on the disk.
    typealias Ending = @Sendable () -> Void

    /// The closure that does the call's work in its transaction and returns the function that reports the result.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// The closure that tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
