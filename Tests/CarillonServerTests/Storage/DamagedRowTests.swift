import CarillonCore
import Foundation
import GRDB
import TestSupport
import Testing

@testable import CarillonServer

/// A row that another program, or a damaged disk, has changed behind the service's back.
@Suite("A damaged row")
struct DamagedRowTests {
    /// The values that a column is overwritten with.
    private static let damages = [
        "NULL", "x'ff00'", "'{'", "9223372036854775807", "-9223372036854775808", "281474976710656", "-281474976710656",
        "-1", "0",
    ]

    /// The first round overwrites with NULL, each further one with another value; nine rounds play every value.
    private static let rounds =
        0..<(ProcessInfo.processInfo.environment["CARILLON_DAMAGES"].flatMap(Int.init) ?? 2)

    @Test("ends no process: every call answers, or throws an error that can be told", arguments: rounds)
    func columns(_ round: Int) async throws {
        let folder = try TemporaryFolder()
        let whole = folder.url.appending(path: "whole.sqlite").path
        try await fill(whole)
        let names = try allColumns(whole)
        #expect(names.count > 150)
        for (number, name) in names.enumerated() {
            let path = folder.url.appending(path: "\(number).sqlite").path
            try FileManager.default.copyItem(atPath: whole, toPath: path)
            let damage = round == 0 ? "NULL" : Self.damages[1 + (number + round) % (Self.damages.count - 1)]
            guard try overwrite(name, with: damage, path) else { continue }
            let store = Store(try SQLiteEngine(path: path), ranges: Self.ranges)
            await callEverything(store, after: name)
            try store.close()
            for file in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + file) }
        }
    }

    // MARK: The database

    /// Everything for more than one device is sent by ranges.
    private static let ranges = RangeRules(devices: 2)

    private struct Column: CustomStringConvertible {
        let table: String
        let name: String

        var description: String { "\(table).\(name)" }
    }

    /// A database with a row in every table.
    private func fill(_ path: String) async throws {
        let store = Store(try SQLiteEngine(path: path), ranges: Self.ranges)
        for app in [chime, ferry] {
            _ = try await store.put(
                AppSettings(topic: app.topic, sendsPerSecond: 100), at: noon)
        }
        try await store.add(
            APIKeyRecord(
                id: "key", name: "backend", secretHash: Data(repeating: 1, count: 32), scopes: [.send], apps: [chime],
                created: noon, revoked: nil))
        for number in 1...4 {
            _ = try await store.register(
                device("d\(number)", user: number < 3 ? "ada" : "eve", tags: ["news", "t\(number)"]), at: noon)
        }
        _ = try await store.accept(
            try message("m1", to: .users(["ada"]), mode: .assured, until: noon + .seconds(3600), key: "k1"), at: noon)
        _ = try await store.accept(
            try message("m2", to: .everyone, mode: .silent, until: noon + .seconds(3600)), at: noon)
        _ = try await store.accept(
            try message("m3", to: .matching(AudienceParser.parse("tag:news"))), at: noon)
        let sender = try await store.join("w")
        try await send(store, sender.number)
        _ = try await store.record(
            [receipt(.received, "m1"), receipt(.shown, "m2"), receipt(.opened, "m1", id: "o")], from: "d1", at: noon)
        _ = try await store.recall(MessageReference(MessageID(test: "m2"), of: chime.number), at: noon)
        _ = try await store.accept(try message("m4", to: .users(["eve"]), mode: .assured), at: noon)
        try await send(store, sender.number, limit: 2)
        try store.close()
    }

    private func send(_ store: Store, _ sender: SenderNumber, limit: Int = 100) async throws {
        let claim = try await store.claim(ClaimRequest(sender: sender, limit: limit), at: noon)
        _ = try await store.settle(claim.deliveries.dropLast().map { $0.settled() }, SendingRules(), at: noon)
    }

    private func allColumns(_ path: String) throws -> [Column] {
        try DatabaseQueue(path: path).read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT tables.name AS "table", columns.name FROM sqlite_schema AS tables
                        JOIN pragma_table_info(tables.name) AS columns
                    WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' AND tables.sql LIKE '%STRICT%'
                        AND tables.name <> '\(Schema.versionTable)'
                    """
            ).map { Column(table: $0["table"], name: $0["name"]) }
        }
    }

    /// Overwrites a column of all rows, past the table's rules.
    ///
    /// - Returns: whether any row could be changed.
    private func overwrite(_ column: Column, with damage: String, _ path: String) throws -> Bool {
        try DatabaseQueue(path: path).inDatabase { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(replace(sql, ' NOT NULL', ''), 'STRICT, WITHOUT', 'WITHOUT')
                        WHERE name = '\(column.table)';
                    UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') WHERE name = '\(column.table)';
                    DELETE FROM sqlite_schema WHERE type = 'trigger';
                    PRAGMA writable_schema = RESET;
                    PRAGMA ignore_check_constraints = ON;
                    """)
            let update = "UPDATE OR IGNORE \(column.table) SET \(column.name) = \(damage)"
            return (try? db.execute(sql: update)) != nil && db.changesCount > 0
        }
    }

    // MARK: The calls

    private func callEverything(_ store: Store, after column: Column) async {
        let later = noon + .seconds(300)
        func attempt(_ call: () async throws -> Void) async {
            do {
                try await call()
            } catch let error as ServiceError {
                #expect(!error.description.isEmpty)
            } catch let error as DatabaseError {
                #expect(error.resultCode != .SQLITE_INTERNAL)
            } catch {
                Issue.record("\(column): \(error)")
            }
        }
        await attempt { _ = try await store.apps.all() }
        await attempt { _ = try await store.apiKeys() }
        await attempt { _ = try await store.apiKey("key") }
        await attempt { _ = try await store.signInKeys(of: chime.number) }
        for number in 1...4 {
            let id = "d\(number)"
            await attempt { _ = try await store.device(id) }
            await attempt { _ = try await store.sync(id, limit: 10, at: later) }
            await attempt { _ = try await store.record([receipt(.dismissed, "m\(number)")], from: id, at: later) }
        }
        for number in 1...4 {
            let message = MessageReference(MessageID(test: "m\(number)"), of: chime.number)
            await attempt { _ = try await store.report(message, at: later) }
            await attempt { _ = try await store.timeline(message, after: nil, limit: 10, at: later) }
            await attempt { _ = try await store.recallAnswer(message, limit: 10) }
        }
        for user in ["ada", "eve"] {
            let user = UserReference(user, of: chime.number)
            await attempt { _ = try await store.inbox(user: user, before: nil, limit: 10, at: later) }
            await attempt { _ = try await store.devices(of: user, limit: 10) }
        }
        await attempt { _ = try await store.count(.everyone, of: chime, at: later) }
        await attempt { _ = try await store.locales(.everyone, of: chime, at: later) }
        for text in ["Hello", "Other"] {
            await attempt {
                _ = try await store.accept(try message("m1", to: .users(["ada"]), text: text, key: "k1"), at: later)
            }
            await attempt { _ = try await store.accept(try message("m3", to: .everyone, text: text), at: later) }
        }
        await attempt {
            let sender = try await store.join("x")
            for _ in 0..<3 { try await self.send(store, sender.number) }
        }
        for number in 1...4 {
            let message = MessageReference(MessageID(test: "m\(number)"), of: chime.number)
            await attempt { _ = try await store.recall(message, at: later) }
        }
        await attempt { _ = try await store.register(device("d1", user: "eve", token: "abcd"), at: later) }
        await attempt { _ = try await store.signOut("d2", by: .service, at: later) }
        await attempt { _ = try await store.erase(UserReference("ada", of: chime.number), at: later) }
        await attempt { _ = try await store.upkeep.setAside(limit: 10) }
        await attempt { _ = try await store.upkeep.retrySetAside(at: later) }
        await attempt { _ = try await store.upkeep.health() }
        await attempt { _ = try await store.upkeep.inspection() }
        await attempt { _ = try await store.upkeep.finishErasures(at: later) }
        await attempt { _ = try await store.upkeep.purge(before: later + .seconds(172_800), limit: 100) }
    }
}
