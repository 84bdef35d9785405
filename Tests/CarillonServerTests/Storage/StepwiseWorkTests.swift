import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

/// No transaction grows with the audience.
@Suite("Work in steps")
struct StepwiseWorkTests {
    /// Rules under which nothing is sent by ranges, so that work goes row by row.
    private static let rows = RangeRules(devices: StoreLimits.audienceDevices)
    private static let devices = 5000
    /// Rows that one transaction may change: what a step deals with, ten rows each at most.
    private static let bound = StoreLimits.devicesPerStep * 10

    /// Counts the rows that each transaction changes, those of tables without row ids too.
    private final class Transactions: TransactionObserver, @unchecked Sendable {
        // `@unchecked`: touched on the writer's queue, and read when nothing is under way.
        private(set) var rows: [Int] = []
        private var last: Int

        init(_ store: Store) {
            last = store.sqlite.pool.writeWithoutTransaction { $0.totalChangesCount }
            store.sqlite.pool.add(transactionObserver: self, extent: .databaseLifetime)
        }

        func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
        func databaseDidChange(with event: DatabaseEvent) {}
        func databaseDidCommit(_ db: Database) {
            rows.append(db.totalChangesCount - last)
            last = db.totalChangesCount
        }
        func databaseDidRollback(_ db: Database) { last = db.totalChangesCount }
        func reset() { rows = [] }
    }

    private func makeStore() async throws -> (Store, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let store = Store(
            try SQLiteEngine(path: folder.url.appending(path: "carillon.sqlite").path), ranges: Self.rows)
        for app in [chime, ferry] { _ = try await store.put(AppSettings(topic: app.topic), at: noon) }
        return (store, folder)
    }

    /// Confirmed devices, each of a user of its own, without the cost of registering them.
    private func fill(_ store: Store, _ count: Int) async throws {
        try await store.write(at: noon) { transaction in
            for number in 1...count {
                try transaction.execute(
                    """
                    INSERT INTO devices (id, app, ordinal, secret_hash, environment, token, token_registered, state,
                        confirmed, user, permission, tags, seen)
                    VALUES (?, 1, ?, x'00', 'sandbox', ?, 0, 'active', 1, ?, 'authorized', '[]', 0)
                    """, ["d\(number)", number, Data("d\(number)".utf8).hexadecimal, "u\(number)"])
            }
            try transaction.execute("UPDATE apps SET next_ordinal = ? WHERE number = 1", [count + 1])
        }
    }

    private func count(_ store: Store, _ sql: String) async throws -> Int {
        try await store.read { try $0.integer(sql) }
    }

    /// As if APNs had accepted all that waits.
    private func deliverAll(_ store: Store) async throws {
        try await store.write(at: noon) { transaction in
            try transaction.execute("DELETE FROM deliveries WHERE message IS NULL")
            try transaction.execute("UPDATE deliveries SET state = 'accepted', reach = 2 WHERE state = 'queued'")
        }
    }

    @Test("with 5,000 devices accept, recall, read, end, sign-out, erase and purge change bounded rows at a time")
    func bounded() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, Self.devices)
        let transactions = Transactions(store)
        func largest(_ what: String, atLeast steps: Int, _ body: () async throws -> Void) async throws {
            transactions.reset()
            try await body()
            let rows = transactions.rows
            #expect((rows.max() ?? 0) <= Self.bound, "\(what): \(rows.max() ?? 0) rows")
            #expect(rows.count >= steps, "\(what): \(rows.count) transactions")
        }
        var ending = try message("m1", to: .everyone, until: noon + .seconds(3600))
        ending.removesExpired = true
        try await largest("accept", atLeast: 50) { _ = try await store.accept(ending, at: noon) }
        #expect(try await count(store, "SELECT count(*) FROM deliveries WHERE message = 1") == Self.devices)
        #expect(try await count(store, "SELECT sum(count) FROM unread") == Self.devices)
        try await deliverAll(store)
        try await largest("replace", atLeast: 100) {
            _ = try await store.accept(
                try message("m1", to: .everyone, until: noon + .seconds(3600), text: "Else"), at: noon)
        }
        try await deliverAll(store)
        try await largest("recall", atLeast: 100) { _ = try await store.recall(MessageID(test: "m1"), at: noon) }
        #expect(try await count(store, "SELECT count(*) FROM removals") == Self.devices)
        #expect(try await count(store, "SELECT count(*) FROM unread") == 0)
        #expect(try await count(store, "SELECT count(*) FROM work") == 0)
        try await deliverAll(store)
        var second = try message("m2", to: .everyone, until: noon + .seconds(3600), text: "Second")
        second.removesExpired = true
        _ = try await store.accept(second, at: noon)
        try await deliverAll(store)
        try await largest("end", atLeast: 50) {
            while try await store.claim(everything(), at: noon + .seconds(3600)).examined > 0 {}
        }
        #expect(try await count(store, "SELECT count(*) FROM removals WHERE reason = 'expired'") == Self.devices)
        try await store.write(at: noon) { try $0.execute("DELETE FROM deliveries WHERE message IS NULL") }
        try await largest("purge", atLeast: 20) {
            let count = try await store.purge(before: noon + .seconds(1), limit: 500)
            #expect(count == 2)
        }
        for table in ["messages", "deliveries", "removals", "events", "inbox", "unread"] {
            #expect(try await count(store, "SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
    }

    @Test("many messages of one user: reading them, signing out and erasing change bounded rows at a time")
    func oneUser() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 20)
        try await store.write(at: noon) { try $0.execute("UPDATE devices SET user = 'u1'") }
        for number in 1...100 {
            _ = try await store.accept(try message("m\(number)", to: .users(["u1"]), text: "\(number)"), at: noon)
        }
        try await deliverAll(store)
        let transactions = Transactions(store)
        let read = try await store.markRead(.upTo(noon), user: "u1", on: nil, at: noon)
        #expect(read.marked == 100 && read.unread == 0)
        #expect(transactions.rows.count >= 20 && (transactions.rows.max() ?? 0) <= Self.bound)
        transactions.reset()
        _ = try await store.signOut(UserReference("u1", of: chime.number), at: noon)
        #expect((transactions.rows.max() ?? 0) <= Self.bound)
        transactions.reset()
        let erasure = try await store.erase(UserReference("u1", of: chime.number), at: noon)
        #expect(erasure.remaining == 0 && erasure.messages == 100)
        #expect((transactions.rows.max() ?? 0) <= Self.bound)
    }

    @Test("an opened receipt costs the same, however many devices the message has")
    func opened() async throws {
        var costs: [Int] = []
        for devices in [10, 2000] {
            let (store, folder) = try await makeStore()
            defer { folder.remove() }
            try await fill(store, devices)
            _ = try await store.accept(try message("m1", to: .everyone), at: noon)
            try await deliverAll(store)
            let transactions = Transactions(store)
            _ = try await store.record([receipt(.opened, "m1")], from: "d1", at: noon)
            costs += transactions.rows
        }
        #expect(costs.count == 2 && costs[0] == costs[1], "\(costs)")
    }

    @Test("what a crash interrupts between two steps goes on with the next start, and nothing is half sent")
    func crash() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        do {
            let store = Store(try SQLiteEngine(path: path), ranges: Self.rows)
            _ = try await store.put(AppSettings(topic: chime.topic), at: noon)
            try await fill(store, 350)
            // Only the first transaction: then the process is gone.
            _ = try await store.write(at: noon) { try Accepting($0).accept(try message("m1", to: .everyone), nil) }
            #expect(try await count(store, "SELECT count(*) FROM deliveries") == 100)
            #expect(try await store.report(MessageID(test: "m1"), at: noon)?.state == .sending)
            try store.close()
        }
        let store = Store(try SQLiteEngine(path: path), ranges: Self.rows)
        #expect(try await store.nextDue(except: []) != nil)
        var sent: Set<String> = []
        while true {
            let deliveries = try await store.deliverAll()
            if deliveries.isEmpty { break }
            sent.formUnion(deliveries.map(\.device))
        }
        #expect(sent.count == 350)
        #expect(try await count(store, "SELECT count(*) FROM work") == 0)
        #expect(try await store.report(MessageID(test: "m1"), at: noon)?.state == .sent)
    }

    @Test("a message that is recalled while it is being addressed, or while its recall runs, is not sent any further")
    func recalledMeanwhile() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 350)
        _ = try await store.write(at: noon) { try Accepting($0).accept(try message("m1", to: .everyone), nil) }
        // The mark and the first step: the others are still to come.
        _ = try await store.write(at: noon) { try Recalling($0).recall(1, nil, SendingRules()) }
        let user = UserReference("u99", of: chime.number)
        #expect(try await store.inbox(user: user, before: nil, limit: 10, at: noon).isEmpty)
        #expect(
            try await store.read(at: noon) { try UnreadMessages($0).unreadCount(of: user) } == 0,
            "its turn has not come")
        while true {
            let claim = try await store.claim(everything(), at: noon)
            #expect(claim.deliveries.isEmpty)
            if claim.examined == 0 { break }
        }
        #expect(try await count(store, "SELECT count(*) FROM deliveries WHERE state <> 'cancelled'") == 0)
    }

    @Test("single messages are accepted between the steps of a recall")
    func between() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 2000)
        _ = try await store.accept(try message("m1", to: .everyone), at: noon)
        try await deliverAll(store)
        let order = SharedValue<[String]>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = try await store.recall(MessageID(test: "m1"), at: noon)
                order.withLock { $0.append("recall") }
            }
            for number in 1...5 {
                group.addTask {
                    _ = try await store.accept(try message("s\(number)", to: .users(["u1"])), at: noon)
                    order.withLock { $0.append("single") }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.withLock { $0 }.last == "recall")
    }

    @Test("what is left of it and cannot be read is set aside, and the rest goes on")
    func unreadable() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 5)
        try await store.write(at: noon) {
            try $0.execute("INSERT INTO work (kind, state) VALUES ('recall', 'nonsense')")
        }
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        #expect(try await store.deliverAll().map(\.device) == ["d1"])
        #expect(try await store.health().setAside == 1)
        #expect(try await store.nextDue(except: []) == nil)
        #expect(try await store.retrySetAside(at: noon) == 1)
    }

    @Test("an erasure that was interrupted is finished by whoever serves next")
    func erasure() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 3)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        try await store.write(at: noon) { transaction in
            let work = StepwiseWork(.erase(app: 1, user: "u1"))
            try transaction.execute(
                "INSERT INTO work (kind, state) VALUES (?, ?)",
                [work.kind, String(decoding: try CarillonJSON.encode(work), as: UTF8.self)])
        }
        _ = try await store.finishErasures(at: noon)
        #expect(try await store.devices(of: UserReference("u1", of: chime.number), limit: 10).isEmpty)
        #expect(try await count(store, "SELECT count(*) FROM work") == 0)
        #expect(try await store.deliverAll().isEmpty)
    }

    @Test("an erasure that cannot be finished does not stop the next one")
    func erasures() async throws {
        let (store, folder) = try await makeStore()
        defer { folder.remove() }
        try await fill(store, 3)
        _ = try await store.accept(try message("m1", to: .users(["u1", "u2"])), at: noon)
        try await store.write(at: noon) { transaction in
            try transaction.execute(
                """
                CREATE TRIGGER broken BEFORE DELETE ON inbox WHEN OLD.user = 'u1'
                BEGIN SELECT RAISE(ABORT, 'broken'); END
                """)
            for user in ["u1", "u2"] {
                _ = try WorkTable(transaction).noteErasure(of: UserReference(user, of: chime.number))
            }
        }
        let failures = try await store.finishErasures(at: noon)
        #expect(failures.count == 1)
        #expect(try await count(store, "SELECT count(*) FROM inbox WHERE user = 'u1'") == 1)
        #expect(try await count(store, "SELECT count(*) FROM inbox WHERE user = 'u2'") == 0)
    }
}

@Suite("The count of unread messages")
struct UnreadCountTests {
    private func makeStore() async throws -> Store {
        let store = try await StoreEngine.sqlite.make()
        _ = try await store.enrol(device("a", user: "u1"), at: noon)
        return store
    }

    private func unread(_ store: Store, at now: Timestamp = noon) async throws -> Int? {
        try await store.sync("a", limit: 10, at: now)?.unread
    }

    @Test("it looks at no message that counts: one row, and what has just ended")
    func plan() async throws {
        let store = try await makeStore()
        let queries: [(String, SQLArguments)] = [
            ("SELECT count FROM unread WHERE app = ? AND user = ?", [1, "u1"]),
            (UnreadMessages.endedCount("?", "?"), [1, "u1", 5]),
            (UnreadMessages.withdrawnCount("?", "?"), [1, "u1", 5]),
        ]
        for (sql, arguments) in queries {
            let steps = try await store.read { transaction in
                try transaction.rows("EXPLAIN QUERY PLAN \(sql)", arguments).map { try $0["detail"] as String }
            }
            for step in steps where !step.contains("SCAN work") {
                #expect(step.hasPrefix("SEARCH"), "\(steps)")
                let isWhole = step.contains("(app=? AND user=?)") && !step.contains("unread")
                #expect(!isWhole, "all of a user's entries: \(steps)")
            }
        }
    }

    @Test("it follows what comes, is read, recalled, sent again, ends and is erased")
    func follows() async throws {
        let store = try await makeStore()
        let until = noon + .seconds(60)
        _ = try await store.accept(try message("m1", to: .users(["u1"])), at: noon)
        _ = try await store.accept(try message("m2", to: .users(["u1"]), until: until), at: noon)
        _ = try await store.accept(try message("m3", to: .everyone), at: noon)
        #expect(try await unread(store) == 3)
        #expect(try await unread(store, at: until) == 2, "it has ended, whether or not anything was done about it")
        _ = try await store.markRead(.messages([MessageID(test: "m1")]), user: "u1", on: nil, at: noon)
        #expect(try await unread(store) == 2)
        _ = try await store.markRead(.messages([MessageID(test: "m1")]), user: "u1", on: nil, at: noon)
        #expect(try await unread(store) == 2)
        _ = try await store.accept(try message("m1", to: .users(["u1"]), text: "Else"), at: noon)
        #expect(try await unread(store) == 3)
        try await store.recall(MessageID(test: "m3"), at: noon)
        #expect(try await unread(store) == 2)
        while try await store.claim(everything(), at: until).examined > 0 {}
        #expect(try await unread(store, at: until) == 1)
        let kept = try await store.read { try $0.integer("SELECT sum(count) FROM unread") }
        let counted = try await store.read {
            try $0.integer("SELECT count(*) FROM inbox WHERE read IS NULL AND gone = 0")
        }
        #expect(kept == 1 && counted == 1)
        _ = try await store.erase(UserReference("u1", of: chime.number), at: until)
        #expect(try await store.read { try $0.integer("SELECT count(*) FROM unread") } == 0)
    }
}
