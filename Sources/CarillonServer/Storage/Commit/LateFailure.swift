/// The error of a statement that was sent without waiting for its answer, and failed before the commit.
///
/// Nothing was committed. Which call has sent the statement is not known.
struct LateFailure: Error {
    let error: any EngineError

    /// Returns the error to throw for a statement's error: one that another try can end stays as it is.
    static func naming(_ error: any Error) -> any Error {
        guard let error = error as? any EngineError, !error.isPassing else { return error }
        return LateFailure(error: error)
    }

    /// Runs `body`, and throws the error itself where no calls share the transaction.
    static func unwrapped<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let failure as LateFailure {
            throw failure.error
        }
    }

    private init(error: any EngineError) { self.error = error }
}
