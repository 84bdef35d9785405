/// A store call that waits for the writing connection, with the closures that do its work and report its failure.
struct WriteCall: Sendable {
    /// A function that hands the result of a store call to the code that made the call.
    ///
    /// The function runs only after the call's transaction is on the disk.
    typealias Ending = @Sendable () -> Void

    /// The closure that sends the call's first statements, and returns the function that does the call's work.
    ///
    /// That function returns the one that reports the result.
    let begin: @Sendable (any SQLConnection) throws -> () throws -> Ending
    /// Whether other calls with this property may begin before this call's work is done.
    var beginsWithOthers = false
    /// The closure that tells the caller that the call has failed and changed nothing.
    let fail: @Sendable (any Error) -> Void
}
