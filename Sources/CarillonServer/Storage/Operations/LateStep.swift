/// The error that a step of unfinished work was ended because it took longer than a call may take.
struct LateStep: EngineError {
    /// The work that the step belongs to.
    enum Work: Sendable {
        /// A task, by its number in the table `work`.
        case task(Int64)
        /// The planning of a message, by the message's number.
        case plan(Int64)
    }

    let work: Work

    var isPassing: Bool { false }
    var isOutOfTime: Bool { true }
    var explanation: ServiceError? { nil }

    /// Runs `body`, and names the work if `body` is ended because it takes too long.
    static func naming<Value>(_ work: Work, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as any EngineError where error.isOutOfTime {
            throw LateStep(work: work)
        }
    }

    /// Sets the work aside, so that senders skip it until an operator acts.
    func setAside(_ session: StoreSession) throws {
        switch work {
        case .task(let number): try WorkTable(session).setAside(number, because: ServiceError.outOfTime)
        case .plan(let message): try RangesTable(session).setAside(message, because: ServiceError.outOfTime)
        }
    }
}
