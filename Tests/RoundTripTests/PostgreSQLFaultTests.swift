import CarillonCore
import CarillonSimulator
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

/// Two senders as processes of their own, whose PostgreSQL fails in the middle; APNs tells what it got.
///
/// In each, nothing that was acknowledged is lost, and nothing goes twice without being counted.
@Suite("Senders whose PostgreSQL fails", .serialized)
struct PostgreSQLFaultTests {
    private static let seeds =
        LongTests.areAsked
        ? Seeds(fixed: 1...2, drawn: 2, filter: "PostgreSQLFaultTests/cut")
        : Seeds(fixed: [], drawn: 1, filter: "PostgreSQLFaultTests/cut")

    /// Lets messages be accepted and sent, while `fail` does what it does.
    private static func play(
        at address: String, options: [String] = [], messages: Int = 30,
        while fail: @Sendable (SendingSystem, [RunningProgram], Set<String>) async throws -> Void
    ) async throws {
        try await SendingSystem.run(at: address, options: options) { system in
            let senders = [try system.startSender(), try system.startSender()]
            for sender in senders { await sender.untilSending() }
            let ids = (0..<messages).map { "m-\($0)" }
            async let accepted: Void = system.acceptInTurn(ids)
            try await fail(system, senders, Set(ids))
            try await accepted
            try await system.until { system.taken(Set(ids)).count == ids.count * SendingSystem.devices }
            try await system.untilDone(ids)
            for sender in senders { #expect(await sender.interrupt() == 0) }
            try await system.expectCounted(ids)
        }
    }

    @Test(
        "it is restarted twice: all goes on", .timeLimit(.minutes(5)),
        arguments: LongTests.all([PostgreSQLForTests.Ending.immediate, .fast]))
    func restarted(_ ending: PostgreSQLForTests.Ending) async throws {
        let server = PostgreSQLForTests(suffix: ending.rawValue)
        let folder = try await server.folder().path
        try await Self.play(at: "postgres://carillon@/postgres?host=\(folder)") { system, _, ids in
            for count in [20, 70] {
                try await system.until { system.taken(ids).count >= count }
                try await server.restart(ending)
            }
        }
    }

    @Test("its machine is lost, and the standby, which has every commit, is promoted", .timeLimit(.minutes(5)))
    func promoted() async throws {
        let safe = ["fsync=on", "synchronous_commit=on"]
        let primary = PostgreSQLForTests(suffix: "first", options: safe + ["synchronous_standby_names=second"])
        let standby = PostgreSQLForTests(
            suffix: "second", options: safe + ["synchronous_standby_names=", "cluster_name=second"])
        try await standby.follow(primary)
        let hosts = "\(primary.place.path),\(standby.place.path)"
        try await Self.play(at: "postgres://carillon@/postgres?host=\(hosts)") { system, _, ids in
            try await system.until { system.taken(ids).count >= 50 }
            try await primary.kill()
            try await standby.promote()
        }
    }

    @Test(
        "connections are cut at drawn moments, also when a commit has happened and its answer is under way",
        .timeLimit(.minutes(5)), arguments: seeds.all)
    func cut(_ seed: UInt64) async throws {
        let server = PostgreSQLForTests(suffix: "cut-\(seed)")
        let proxy = try CuttingProxy(to: try await server.folder(), seed: seed)
        defer { proxy.stop() }
        let address = "postgres://carillon@127.0.0.1:\(proxy.port)/postgres?sslmode=disable"
        try await Self.play(at: address) { system, _, ids in
            proxy.cut(CuttingProxy.Rates(commitAnswers: 12, pieces: 200))
            try await system.until { system.taken(ids).count >= 120 }
            proxy.heal()
        }
        #expect(proxy.cuts.commitAnswers > 0 && proxy.cuts.others > 0, "\(proxy.cuts); \(Self.seeds.again(seed))")
    }

    @Test(
        "its sessions end while a sender that starts reads its apps: the sender waits, and sends",
        .timeLimit(.minutes(5)))
    func starting() async throws {
        let server = PostgreSQLForTests(suffix: "starting")
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        let folder = try TemporaryFolder()
        try await SendingSystem.run(at: address) { system in
            let (holder, ender) = (try PostgreSQLHandle(url: address), try PostgreSQLHandle(url: address))
            try holder.run("BEGIN; LOCK TABLE apps IN ACCESS EXCLUSIVE MODE")
            let log = folder.url.appending(path: "sender.log")
            let sender = try system.startSender(log: log)
            while try !String(contentsOf: log, encoding: .utf8).contains("waiting for the database"), sender.isRunning {
                try ender.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'apps'::regclass AND NOT granted
                    """)
                await Task.yield()
            }
            let said = try String(contentsOf: log, encoding: .utf8)
            try #require(sender.isRunning, "\(said)")
            try holder.run("COMMIT")
            await sender.untilSending()
            try await system.accept(["m"])
            try await system.until { system.taken(["m"]).count == SendingSystem.devices }
            #expect(await sender.interrupt() == 0)
        }
    }

    @Test("its disk is full: what is asked for is refused, and all goes on when there is room", .timeLimit(.minutes(5)))
    func full() async throws {
        guard await PostgreSQLForTests.Disk.canBeMade() else {
            try Test.cancel("this machine does not let a small disk be mounted, so none can be full")
        }
        let server = PostgreSQLForTests(
            suffix: "full", options: ["min_wal_size=32MB", "max_wal_size=48MB"], disk: .init(mebibytes: 160))
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        try await Self.play(at: address) { system, _, ids in
            try await system.until { system.taken(ids).count >= 40 }
            let own = try PostgreSQLHandle(url: address)
            try own.run(
                """
                COPY (SELECT 1) TO PROGRAM \
                'cat >/dev/null; for size in 1M 4k; do dd if=/dev/zero of=filler-$size bs=$size 2>/dev/null; done; true'
                """)
            // It writes into pages that it has, and so it takes a while.
            var refusal: ServiceError?
            var number = 0
            while refusal == nil {
                do { try await system.accept(["filler-\(number)"]) } catch let error as ServiceError { refusal = error }
                number += 1
            }
            #expect(refusal?.code == .full, "\(String(describing: refusal))")
            try own.run("COPY (SELECT 1) TO PROGRAM 'cat >/dev/null; rm filler-*'")
        }
    }

    @Test(
        "none of it fails, but a pooler stands before it that knows no prepared statements", .timeLimit(.minutes(5)),
        .enabled(if: PoolerForTests.isInstalled, "make test-pooler installs PgBouncer"))
    func pooled() async throws {
        let server = PostgreSQLForTests(suffix: "pooled")
        let port = try await PoolerForTests.start(before: server.folder(), suffix: "sending")
        try await Self.play(
            at: "postgres://carillon@127.0.0.1:\(port)/postgres", options: ["--no-listen"], messages: 60
        ) { _, _, _ in }
    }

    @Test(
        "a sender stands still for longer than its lease and is let go again", .timeLimit(.minutes(5)),
        .enabled(if: LongTests.areAsked, LongTests.comment))
    func frozen() async throws {
        let server = PostgreSQLForTests(suffix: "frozen")
        let folder = try await server.folder().path
        try await Self.play(at: "postgres://carillon@/postgres?host=\(folder)") { system, senders, ids in
            try await system.until { system.taken(ids).count >= 40 }
            senders[0].freeze()
            // What it had under way, the other has taken over.
            try await system.until { system.taken(ids).count == ids.count * SendingSystem.devices }
            senders[0].letGo()
        }
    }
}
