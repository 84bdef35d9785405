import Foundation
import FoundationNetworking
import Synchronization

/// A counter of a simulated process's unfinished work that needs real time: blocks on queues, sleeping tasks, and network
/// requests.
final class OutsideWork: Sendable {
    /// An object that counts as unfinished work while it is held.
    private final class Token: Sendable {
        private let count: Counter

        init(_ count: Counter) {
            self.count = count
            count.value.add(1, ordering: .relaxed)
        }

        deinit { count.value.subtract(1, ordering: .relaxed) }
    }

    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    private struct WeakSession: Sendable {
        weak var session: URLSession?
    }

    private let count = Counter()
    private let sessions = Mutex<[WeakSession]>([])

    /// Records that a piece of work begins.
    ///
    /// - Returns: an object that counts as unfinished work until it is released.
    func began() -> any Sendable { Token(count) }

    func made(_ session: URLSession) {
        let new = WeakSession(session: session)
        sessions.withLock { sessions in
            sessions.removeAll { $0.session == nil }
            sessions.append(new)
        }
    }

    func isUnderWay() async -> Bool {
        if count.value.load(ordering: .relaxed) > 0 { return true }
        for session in sessions.withLock({ $0 }).compactMap(\.session) {
            let isBusy = await withCheckedContinuation { continuation in
                session.getAllTasks { continuation.resume(returning: !$0.isEmpty) }
            }
            if isBusy { return true }
        }
        return false
    }
}
