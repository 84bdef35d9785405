/// An error of an engine: the statement has failed, not the decoding of its rows.
protocol EngineError: Error {
    /// Whether the transaction is known to have changed nothing, and may succeed if it is run again.
    var isPassing: Bool { get }
    /// The error's meaning for the operator; `nil` if there is only the engine's own text.
    var explanation: ServiceError? { get }
}
