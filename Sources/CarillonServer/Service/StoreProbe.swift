import CarillonCore
import Synchronization

/// Checks whether the store answers, for health checks that need an answer soon.
///
/// Only one check runs at a time; a caller that comes meanwhile gets the result of the running check. If the check does not end
/// soon, the result is that the store does not answer.
final class StoreProbe<Answer: Sendable>: Sendable {
    private struct State {
        var look: Task<Answer?, Never>?
    }

    private let state = Mutex(State())
    private let clock: any CarillonClock

    init(clock: any CarillonClock) { self.clock = clock }

    /// Returns the store's answer; `nil` if the store does not answer within ``ServiceLimits/probePatience``.
    func health(_ look: @escaping @Sendable () async throws -> Answer) async -> Answer? {
        let task = state.withLock { state in
            if let known = state.look { return known }
            let task = Task { [self] in
                let health = try? await look()
                self.state.withLock { $0.look = nil }
                return health
            }
            state.look = task
            return task
        }
        let (answers, answer) = AsyncStream.makeStream(of: Answer?.self)
        let timer = clock.schedule(after: ServiceLimits.probePatience) { answer.yield(nil) }
        Task { answer.yield(await task.value) }
        defer { timer.cancel() }
        return await answers.first { _ in true } ?? nil
    }
}
