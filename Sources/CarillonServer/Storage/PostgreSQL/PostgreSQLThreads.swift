import CarillonCore
import Dispatch
import Foundation
import Synchronization

/// A pool of threads, each with its own connection to PostgreSQL, which take jobs from one queue.
///
/// Because of the pool, no thread of Swift's concurrency runtime waits for PostgreSQL. If a job finds no idle thread, a new one
/// starts, up to a limit.
final class PostgreSQLThreads: WriteQueue {
    typealias Job = @Sendable (PostgreSQLConnection) -> Void

    private struct State {
        var jobs: [Job] = []
        var threads = 0
        var idle = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)
    private let name: String
    private let limit: Int
    private let makeConnection: @Sendable () -> PostgreSQLConnection

    /// Makes a pool without threads.
    ///
    /// - Parameters:
    ///   - name: the name of the threads.
    ///   - limit: the greatest number of threads, and so of connections.
    ///   - makeConnection: a closure that makes a connection object, which connects when it is first used.
    init(_ name: String, limit: Int, _ makeConnection: @escaping @Sendable () -> PostgreSQLConnection) {
        self.name = name
        self.limit = limit
        self.makeConnection = makeConnection
    }

    func enter(_ turn: @escaping @Sendable (any SQLConnection) -> Void) {
        // The group commit queues one turn at a time, so a refusal means that the store is closed.
        if !run({ turn($0) }) { turn(ClosedConnection()) }
    }

    /// Queues a job.
    ///
    /// - Returns: whether the job will run; false after ``close()``, or if too many jobs wait.
    func run(_ job: @escaping Job) -> Bool {
        let (isTaken, startsThread) = state.withLock { state in
            guard !state.isClosed, state.jobs.count < StoreLimits.waitingReads else { return (false, false) }
            state.jobs.append(job)
            let startsThread = state.idle < state.jobs.count && state.threads < limit
            if startsThread { state.threads += 1 }
            return (true, startsThread)
        }
        if startsThread { startThread() }
        if isTaken { arrived.signal() }
        return isTaken
    }

    /// Ends the threads after they have done the jobs that already wait.
    func close() {
        let threads = state.withLock { state in
            state.isClosed = true
            return state.threads
        }
        for _ in 0..<threads { arrived.signal() }
    }

    private func startThread() {
        let thread = Thread { [self] in work() }
        thread.name = name
        thread.stackSize = 4 << 20
        thread.start()
    }

    private func work() {
        let connection = makeConnection()
        while true {
            state.withLock { $0.idle += 1 }
            arrived.wait()
            let job = state.withLock { state in
                state.idle -= 1
                return state.jobs.isEmpty ? nil : state.jobs.removeFirst()
            }
            if let job { job(connection) } else if state.withLock({ $0.isClosed }) { return }
        }
    }
}
