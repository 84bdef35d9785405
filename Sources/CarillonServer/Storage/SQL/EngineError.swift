/// What an engine reports: the statement has failed, not what was read.
protocol EngineError: Error {
    /// Whether the transaction is known to have changed nothing, and may succeed if it is run again.
    var isPassing: Bool { get }
    /// What it means to whoever runs the service; `nil` where the engine's own words are all there is.
    var explanation: ServiceError? { get }
}
