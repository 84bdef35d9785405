import CarillonMessaging
import Synchronization

/// A service that is slow to answer: while it is held, requests wait.
final class SlowTransport: ServiceTransport {
    private struct State {
        var isHeld = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var arrivals: [CheckedContinuation<Void, Never>] = []
        var answerCount = 0
    }

    private let service: StubService
    private let state = Mutex(State())

    init(_ service: StubService) { self.service = service }

    var answerCount: Int { state.withLock(\.answerCount) }

    func hold() { state.withLock { $0.isHeld = true } }

    /// Returns when a request waits.
    func arrival() async throws {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.waiting.isEmpty { state.arrivals.append(continuation) }
                return !state.waiting.isEmpty
            }
            if isThere { continuation.resume() }
        }
    }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isHeld = false
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        if state.withLock(\.isHeld) {
            await withCheckedContinuation { continuation in
                let arrivals = state.withLock { state in
                    defer { state.arrivals = [] }
                    state.waiting.append(continuation)
                    return state.arrivals
                }
                for arrival in arrivals { arrival.resume() }
            }
        }
        let response = try await service.send(request)
        state.withLock { $0.answerCount += 1 }
        return response
    }
}
