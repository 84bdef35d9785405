import CarillonCore
import Dispatch
import Foundation
import GRDB
import Synchronization
import Testing

@testable import CarillonServer

@Suite("Calls that write at the same time share a transaction")
struct GroupCommitTests {
    struct Refused: Error {}

    /// A table of numbers, and calls that add to it.
    final class System: Sendable {
        let folder: TemporaryFolder
        let pool: DatabasePool
        let writer: GroupCommit
        let commits: SharedValue<Int>

        init(busy: Database.BusyMode = .immediateError, clock: any CarillonClock = ManualClock(start: noon)) throws {
            folder = try TemporaryFolder()
            var configuration = Configuration()
            configuration.busyMode = busy
            pool = try DatabasePool(path: folder.url.appending(path: "numbers").path, configuration: configuration)
            try pool.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE numbers (place INTEGER PRIMARY KEY, number INTEGER UNIQUE);
                        CREATE TABLE orphans (number INTEGER REFERENCES numbers(number) DEFERRABLE INITIALLY DEFERRED);
                        """)
            }
            let commits = SharedValue(0)
            self.commits = commits
            writer = GroupCommit(queue: SQLiteWriter(pool: pool), clock: clock) { commits.withLock { $0 += 1 } }
        }

        deinit { folder.remove() }

        var numbers: [Int] {
            get throws { try pool.read { try Int.fetchAll($0, sql: "SELECT number FROM numbers ORDER BY place") } }
        }

        @discardableResult
        func add(_ number: Int, then end: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in })
            async throws -> Int
        {
            try await writer.write { db in
                try db.execute("INSERT INTO numbers (number) VALUES (?)", [number])
                try end(db)
                return number
            }
        }

        /// Runs calls such that all are waiting while the first is at work, in their order.
        func together(_ calls: [@Sendable () async throws -> Int]) async -> [Result<Int, any Error>] {
            let gate = DispatchSemaphore(value: 0)
            let (entered, isEntered) = AsyncStream.makeStream(of: Void.self)
            async let blocked: Void = writer.write { _ in
                isEntered.finish()
                gate.wait()
                // It may be asked to do its work again.
                gate.signal()
            }
            for await _ in entered {}
            let results = await withTaskGroup(of: (Int, Result<Int, any Error>).self) { tasks in
                for (index, call) in calls.enumerated() {
                    tasks.addTask {
                        do { return (index, .success(try await call())) } catch { return (index, .failure(error)) }
                    }
                    while writer.waitingCount <= index { await Task.yield() }
                }
                gate.signal()
                return await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            try? await blocked
            return calls.indices.compactMap { results[$0] }
        }
    }

    @Test("256 calls at once take at most two transactions, and are done in the order in which they came")
    func many() async throws {
        let system = try System()
        let results = await system.together((0..<256).map { number in { try await system.add(number) } })
        #expect(results.compactMap { try? $0.get() } == Array(0..<256))
        #expect(try system.numbers == Array(0..<256))
        #expect(system.commits.withLock { $0 } == 2, "the call that was at work, with 255 of them, and the last")
    }

    @Test("calls that only ask share a transaction up to a number of statements, and then others get their turn")
    func statements() async throws {
        let system = try System()
        let each = StoreLimits.statementsPerCommit / 10
        let results = await system.together(
            (0..<20).map { number in
                {
                    try await system.writer.write { db in
                        for _ in 0..<each { _ = try db.row("SELECT number FROM numbers WHERE place = 0", []) }
                        return number
                    }
                }
            })
        #expect(results.compactMap { try? $0.get() } == Array(0..<20))
        #expect(system.commits.withLock { $0 } == 2, "the call that was at work with ten, and ten more")
    }

    @Test("calls share a transaction up to a time, however little they change")
    func time() async throws {
        let clock = ManualClock(start: noon)
        let system = try System(clock: clock)
        let results = await system.together(
            (0..<4).map { number in
                { try await system.add(number) { _ in clock.advance(by: StoreLimits.longestCommit / 2) } }
            })
        #expect(results.compactMap { try? $0.get() } == Array(0..<4))
        #expect(system.commits.withLock { $0 } == 2)
    }

    @Test("a call alone is committed at once")
    func alone() async throws {
        let system = try System()
        for number in 0..<3 { try await system.add(number) }
        #expect(system.commits.withLock { $0 } == 3)
    }

    @Test("a call that throws is undone alone, and gets its own error")
    func isolation() async throws {
        let system = try System()
        let results = await system.together([
            { try await system.add(1) },
            { try await system.add(2) { _ in throw Refused() } },
            { try await system.add(1) },
            { try await system.add(3) },
        ])
        #expect(try system.numbers == [1, 3])
        #expect(try results[0].get() == 1 && results[3].get() == 3)
        #expect(throws: Refused.self) { try results[1].get() }
        #expect(throws: DatabaseError.self) { try results[2].get() }
        #expect(system.commits.withLock { $0 } == 1)
    }

    @Test("calls are done again only when one throws after it has changed something, and then once")
    func again() async throws {
        let system = try System()
        let runs = SharedValue(0)
        let counted: @Sendable (Int) async throws -> Int = { number in
            try await system.add(number) { _ in runs.withLock { $0 += 1 } }
        }
        let calm = await system.together([
            { try await counted(1) }, { try await system.writer.write { _ in throw Refused() } },
            { try await counted(2) },
        ])
        #expect(throws: Refused.self) { try calm[1].get() }
        #expect(runs.withLock { $0 } == 2)
        let stormy = await system.together([
            { try await counted(3) }, { try await system.add(4) { _ in throw Refused() } },
            { try await counted(5) }, { try await system.add(6) { _ in throw Refused() } },
        ])
        #expect(stormy.map { (try? $0.get()) != nil } == [true, false, true, false])
        #expect(runs.withLock { $0 } == 5, "the third twice, since the fourth was undone with it")
        #expect(try system.numbers == [1, 2, 3, 5])
    }

    @Test("no call of a transaction is told that it succeeded when the commit fails")
    func failedCommit() async throws {
        let system = try System()
        let results = await system.together([
            { try await system.add(1) },
            { try await system.add(2) { try $0.execute("INSERT INTO orphans VALUES (99)", []) } },
            { try await system.add(3) { _ in throw Refused() } },
        ])
        for result in results {
            #expect(throws: DatabaseError.self) { try result.get() }
        }
        #expect(try system.numbers == [])
        #expect(try await system.add(4) == 4, "the next one is not affected")
    }

    @Test("a transaction that SQLite itself gives up fails the calls that were in it, and no later one")
    func abortedTransaction() async throws {
        let system = try System()
        let results = await system.together([
            { try await system.add(1) },
            {
                try await system.add(2) { db in
                    // What a full disk does: the whole transaction is gone. Nothing may be written after it on its own.
                    try? db.execute("INSERT OR ROLLBACK INTO numbers (number) VALUES (1)", [])
                    try db.execute("INSERT INTO numbers (number) VALUES (20)", [])
                }
            },
            { try await system.add(3) },
            { try await system.add(1) },
        ])
        #expect(throws: DatabaseError.self) { try results[0].get() }
        #expect(throws: DatabaseError.self) { try results[1].get() }
        #expect(try results[2].get() == 3 && results[3].get() == 1)
        #expect(try system.numbers == [3, 1])
    }

    @Test(
        "a caller that is cancelled before changes nothing; one that is cancelled while it waits gets the true result")
    func cancellation() async throws {
        let system = try System()
        let results = await system.together([
            {
                let task = Task { try await system.add(1) }
                while system.writer.waitingCount < 1 { await Task.yield() }
                task.cancel()
                return try await task.value
            },
            {
                withUnsafeCurrentTask { $0?.cancel() }
                let early: Int? = try? await system.add(2)
                #expect(early == nil)
                return try await Task { try await system.add(3) }.value
            },
        ])
        #expect(try results.map { try $0.get() } == [1, 3])
        #expect(try system.numbers == [1, 3])
    }

    @Test("while another process writes all wait, then all get the same error, and later calls succeed")
    func otherWriter() async throws {
        let system = try System(busy: SQLiteFile.patience(0.05))
        let other = try DatabaseQueue.other(system.pool.path)
        try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
        let errors = await withTaskGroup(of: (any Error)?.self) { tasks in
            for number in 0..<20 {
                tasks.addTask {
                    do { try await system.add(number) } catch { return error }
                    return nil
                }
            }
            return await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.allSatisfy { ($0 as? ServiceError)?.code == .busy })
        try await other.writeWithoutTransaction { try $0.rollback() }
        #expect(try await system.add(7) == 7)
        #expect(try system.numbers == [7])
    }

    @Test("a process that writes without a pause lets another write too")
    func fairness() async throws {
        let system = try System(busy: SQLiteFile.patience(10))
        var configuration = Configuration()
        configuration.busyMode = SQLiteFile.patience(10)
        let other = try DatabasePool(path: system.pool.path, configuration: configuration)
        let (second, isDone) = (GroupCommit(queue: SQLiteWriter(pool: other)), SharedValue(false))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for lane in 0..<64 {
                tasks.addTask {
                    var number = lane * 1_000_000
                    while !isDone.withLock({ $0 }) {
                        number += 1
                        try await system.add(number)
                    }
                }
            }
            for number in 1...20 {
                try await second.write {
                    try $0.execute("INSERT INTO numbers (number) VALUES (?)", [-number])
                }
            }
            isDone.withLock { $0 = true }
            try await tasks.waitForAll()
        }
        #expect(try system.numbers.filter { $0 < 0 }.count == 20)
    }

    @Test("a transaction that has changed very many rows takes no further call")
    func longGroup() async throws {
        let system = try System()
        let calls = (0..<3).map { index -> @Sendable () async throws -> Int in
            {
                try await system.writer.write { db in
                    try db.execute(
                        """
                        WITH RECURSIVE some(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM some WHERE n < ?)
                        INSERT INTO numbers (number) SELECT ? + n FROM some
                        """, [StoreLimits.changesPerCommit, index * 1_000_000])
                    return index
                }
            }
        }
        let results = await system.together(calls)
        #expect(results.compactMap { try? $0.get() } == [0, 1, 2])
        #expect(system.commits.withLock { $0 } == 3)
    }
}
