import CarillonCore
import Synchronization

/// Checks whether the store answers, for health checks that need an answer soon.
///
/// Only one check runs at a time; a caller that comes meanwhile gets the result of the running check. If the check does not end
/// soon, the result is that the store does not answer.
final class StoreProbe<Answer: Sendable>: Sendable {
    private struct State {
        var isLooking = false
        /// The callers that wait for the running check, by a number of their own.
        var waiting: [Int: AsyncStream<Answer?>.Continuation] = [:]
        var lastNumber = 0
    }

    private let state = Mutex(State())
    private let clock: any CarillonClock

    init(clock: any CarillonClock) { self.clock = clock }

    /// Returns the store's answer; `nil` if the store does not answer within ``ServiceLimits/probePatience``.
    func health(_ look: @escaping @Sendable () async throws -> Answer) async -> Answer? {
        let (answers, answer) = AsyncStream.makeStream(of: Answer?.self)
        let (number, begins) = state.withLock { state in
            state.lastNumber += 1
            state.waiting[state.lastNumber] = answer
            defer { state.isLooking = true }
            return (state.lastNumber, !state.isLooking)
        }
        // This task belongs to no caller, because the check goes on after the caller that began it has its answer.
        if begins { Task { await check(look) } }
        let timer = clock.schedule(after: ServiceLimits.probePatience) { answer.yield(nil) }
        defer {
            timer.cancel()
            state.withLock { _ = $0.waiting.removeValue(forKey: number) }
        }
        return await answers.first { _ in true } ?? nil
    }

    private func check(_ look: @Sendable () async throws -> Answer) async {
        let answer = try? await look()
        let waiting = state.withLock { state in
            defer { (state.isLooking, state.waiting) = (false, [:]) }
            return state.waiting.values
        }
        for caller in waiting { caller.yield(answer) }
    }
}
