import Synchronization

/// The port number on which a server listens, for callers that wait until it is known.
///
/// Both ``succeed(_:)`` and ``fail()`` resume all callers that wait.
final class BoundPort: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Int, any Error>])
        case known(Int)
        case failed
    }

    private let state = Mutex(State.waiting([]))

    func value() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let result: Result<Int, any Error>? = state.withLock { state in
                switch state {
                case .waiting(let others):
                    state = .waiting(others + [continuation])
                    return nil
                case .known(let port): return .success(port)
                case .failed: return .failure(Self.ended)
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Resumes all waiting callers with the port, or with an error if the server has lost its address already.
    func succeed(_ port: Int?) {
        guard let port else { return fail() }
        for continuation in end(.known(port)) { continuation.resume(returning: port) }
    }

    /// Resumes all waiting callers with an error, because the service has ended.
    ///
    /// The function does nothing if the port is already known.
    func fail() {
        for continuation in end(.failed) { continuation.resume(throwing: Self.ended) }
    }

    private func end(_ next: State) -> [CheckedContinuation<Int, any Error>] {
        state.withLock { state in
            guard case .waiting(let continuations) = state else { return [] }
            state = next
            return continuations
        }
    }

    private static var ended: ServiceError { ServiceError(.notRunning, "the service does not listen on a port") }
}
