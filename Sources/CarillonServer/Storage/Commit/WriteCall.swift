/// A store call that waits for the writing connection, with the closures that do its work and report its failure.
struct WriteCall: Sendable {
    /// A function that hands the result of a store call to the code that made the call.
    ///
    /// The function runs only after the call's transaction is on the disk.
    typealias Ending = @Sendable () -> Void

    /// The closure that does the call's work in its transaction and returns the function that reports the result.
    let work: @Sendable (any SQLConnection) throws -> Ending
    /// The closure that tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
