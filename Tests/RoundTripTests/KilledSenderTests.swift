import CarillonCore
import CarillonSimulator
import Foundation
import Logging
import TestSupport
import Testing

@testable import CarillonServer

/// Senders as processes of their own on one database, which are killed while they send; APNs tells what it got.
@Suite("Senders that are killed", .serialized)
struct KilledSenderTests {
    @Test("two on one database send each push once, or tell that it went again")
    func two() async throws {
        try await SendingSystem.run { system in
            let ids = (0..<20).map { "m-\($0)" }
            let senders = [try system.startSender(), try system.startSender()]
            for sender in senders { await sender.untilSending() }
            try await system.accept(ids)
            try await system.until { system.taken(Set(ids)).count == ids.count * SendingSystem.devices }
            for sender in senders { #expect(await sender.interrupt() == 0) }
            // What has no answer yet when its sender is told to end is left to the next; on a busy machine there is some.
            let last = try system.startSender()
            await last.untilSending()
            try await system.untilDone(ids)
            #expect(await last.interrupt() == 0)
            try await system.expectCounted(ids)
        }
    }

    @Test("a dozen times: nothing is lost, the next takes over at once, and nothing goes twice without being counted")
    func killed() async throws {
        try await SendingSystem.run { system in
            var all: [String] = []
            for round in 0..<12 {
                let ids = (0..<8).map { "r-\(round)-\($0)" }
                all += ids
                try await system.accept(ids)
                let sender = try system.startSender()
                // In the middle, and each time elsewhere.
                let enough = 1 + round * 3
                try await system.until { system.taken(Set(ids)).values.reduce(0, +) >= enough }
                await sender.kill()
            }
            let last = try system.startSender()
            // Before, an interrupt ends it as it ends any program; and those that were killed may have left it nothing to do.
            await last.untilSending()
            try await system.until { system.taken(Set(all)).count == all.count * SendingSystem.devices }
            try await system.untilDone(all)
            #expect(await last.interrupt() == 0)
            try await system.expectCounted(all)
        }
    }

    @Test(
        "on PostgreSQL: one of two is killed and the server crashes in the middle; nothing is lost, nor goes twice uncounted",
        .timeLimit(.minutes(5)))
    func postgreSQL() async throws {
        let server = PostgreSQLForTests(suffix: "crashing")
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        try await SendingSystem.run(at: address) { system in
            let senders = [try system.startSender(), try system.startSender()]
            for sender in senders { await sender.untilSending() }
            let first = (0..<20).map { "a-\($0)" }
            try await system.accept(first)
            try await system.until { system.taken(Set(first)).values.reduce(0, +) >= 10 }
            await senders[0].kill()
            try await server.crash()
            let second = (0..<5).map { "b-\($0)" }
            try await system.accept(second)
            let all = first + second
            try await system.until { system.taken(Set(all)).count == all.count * SendingSystem.devices }
            try await system.untilDone(all)
            #expect(await senders[1].interrupt() == 0)
            try await system.expectCounted(all)
        }
    }
}
