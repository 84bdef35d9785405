import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("The write-ahead log is copied into the database beside the commits")
struct CheckpointTests {
    private static let (soft, hard) = (StoreLimits.logPagesBeforeCheckpoint, StoreLimits.logPagesBeforeBetween)

    @Test("a log is copied when it is long, and again when it has grown as much, one copying at a time")
    func schedule() {
        var schedule = CheckpointSchedule()
        #expect(schedule.committed(pages: Self.soft - 1) == nil)
        #expect(schedule.committed(pages: Self.soft) == .alongside)
        #expect(schedule.committed(pages: Self.soft + 300) == nil, "one is under way")
        schedule.ended()
        #expect(schedule.committed(pages: 2 * Self.soft + 299) == nil)
        #expect(schedule.committed(pages: 2 * Self.soft + 300) == .alongside)
        schedule.ended()
        #expect(schedule.committed(pages: 10) == nil, "it has begun anew")
        #expect(schedule.committed(pages: Self.soft) == .alongside)
    }

    @Test("a log that never pauses is finished between two commits")
    func between() {
        var schedule = CheckpointSchedule()
        #expect(schedule.committed(pages: Self.hard) == .alongsideThenBetween)
    }

    @Test("a file that could not be emptied is emptied with the next copying")
    func emptying() {
        var schedule = CheckpointSchedule()
        schedule.emptied(false)
        #expect(schedule.committed(pages: Self.soft) == .emptying)
        schedule.emptied(true)
        schedule.ended()
        #expect(schedule.committed(pages: 2 * Self.soft) == .alongside)
    }

    /// A store on a file of its own, and how long its log is.
    private struct System {
        let folder: TemporaryFolder
        let store: Store

        init() throws {
            folder = try TemporaryFolder()
            store = Store(try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path))
        }

        /// Fills so many pages, more or less, in a transaction of its own.
        func fill(pages: Int) async throws {
            try await store.write(at: noon) { transaction in
                try transaction.execute("CREATE TABLE IF NOT EXISTS filling (bytes BLOB)")
                try transaction.execute("DELETE FROM filling")
                try transaction.execute("INSERT INTO filling VALUES (zeroblob(?))", [pages * 4096])
            }
        }
    }

    @Test("a commit copies nothing itself: only another connection does")
    func writerLeavesIt() async throws {
        let system = try System()
        defer { system.folder.remove() }
        let path = system.folder.url.appending(path: "carillon.sqlite").path
        let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
        // The connection that copies is busy, so nothing is copied meanwhile.
        try await system.store.sqlite.checkpoints.holding {
            for _ in 0..<4 { try await system.fill(pages: 500) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == before)
        }
        try await system.store.sqlite.checkpoints.settled()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count > before + 400 * 4096)
    }

    @Test("a log begins anew when it was copied, so its file stays small")
    func beginsAnew() async throws {
        let system = try System()
        defer { system.folder.remove() }
        for _ in 0..<20 {
            try await system.fill(pages: 600)
            try await system.store.sqlite.checkpoints.settled()
        }
        let log = system.folder.url.appending(path: "carillon.sqlite-wal")
        #expect(try Data(contentsOf: log).count < 4 * Self.soft * 4096)
    }

    @Test("while somebody reads an old state the log grows, and no longer than that")
    func reader() async throws {
        let system = try System()
        defer { system.folder.remove() }
        let other = try DatabaseQueue.other(system.store.sqlite.pool.path)
        try await other.beginReading()
        for _ in 0..<6 { try await system.fill(pages: 600) }
        try await system.store.sqlite.checkpoints.settled()
        let log = system.folder.url.appending(path: "carillon.sqlite-wal")
        #expect(try Data(contentsOf: log).count > 3 * Self.soft * 4096)
        try await other.writeWithoutTransaction { try $0.commit() }
        // The first copies what the reader held back, the second begins the log anew.
        for _ in 0..<3 {
            try await system.fill(pages: 600)
            try await system.store.sqlite.checkpoints.settled()
        }
        #expect(system.store.sqlite.checkpoints.length.pages < 3 * Self.soft)
    }

    @Test("what was erased leaves the log as soon as nobody reads the old state any more")
    func emptied() async throws {
        let system = try System()
        defer { system.folder.remove() }
        _ = try await system.store.put(AppSettings(topic: topic), at: noon)
        _ = try await system.store.accept(try message("m1", to: .users(["u1"]), text: "a private text"), at: noon)
        let other = try DatabaseQueue.other(system.store.sqlite.pool.path)
        try await other.beginReading()
        _ = try await system.store.erase(UserReference("u1", of: chime.number), at: noon)
        let log = system.folder.url.appending(path: "carillon.sqlite-wal")
        #expect(try Data(contentsOf: log).range(of: Data("a private text".utf8)) != nil, "the reader holds it")
        try await other.writeWithoutTransaction { try $0.commit() }
        for _ in 0..<2 {
            try await system.fill(pages: 600)
            try await system.store.sqlite.checkpoints.settled()
        }
        #expect(try Data(contentsOf: log).range(of: Data("a private text".utf8)) == nil)
    }

    @Test("closing copies the rest, also while another process has the file open")
    func closing() async throws {
        let system = try System()
        defer { system.folder.remove() }
        let path = system.store.sqlite.pool.path
        let other = try DatabaseQueue(path: path)
        try await other.read { _ = try Int.fetchOne($0, sql: "SELECT count(*) FROM messages") }
        _ = try await system.store.put(AppSettings(topic: topic), at: noon)
        _ = try await system.store.accept(try message("m1", to: .users(["u1"]), text: "a text to find"), at: noon)
        try system.store.close()
        let text = Data("a text to find".utf8)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: text) != nil)
        try other.close()
    }
}
