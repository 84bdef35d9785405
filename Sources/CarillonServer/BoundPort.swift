import Synchronization

/// A port number that becomes known later, for any number of waiting callers.
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

    /// Reports the port on which the server listens; fails for a server without a port (a Unix socket).
    func succeed(_ port: Int?) {
        guard let port else { return fail() }
        for continuation in end(.known(port)) { continuation.resume(returning: port) }
    }

    /// Reports that the service has ended; a port that is known stays known.
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
