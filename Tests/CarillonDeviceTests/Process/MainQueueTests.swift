import Foundation
import Testing

@testable import CarillonDevice

@MainActor @Suite("The main queue") struct MainQueueTests {
    /// Returns the number of the main queue's rounds until `isOver` returns `true`.
    private func rounds(until isOver: @escaping @MainActor () -> Bool) async -> Int {
        await withCheckedContinuation { continuation in
            @MainActor func look(_ count: Int) {
                guard !isOver() else { return continuation.resume(returning: count) }
                DispatchQueue.main.async { MainActor.assumeIsolated { look(count + 1) } }
            }
            look(0)
        }
    }

    @Test("wakes who waits for an answer by itself, without a thread in between")
    func wakes() async {
        let answer = PendingAnswer<Int>()
        var value: Int?
        Task { value = await answer.wait() }
        DispatchQueue.main.async { answer.give(7) }
        // The task, the answer, and two for the way back to the main actor.
        #expect(await rounds { value != nil } <= 5)
        #expect(value == 7)
    }
}
