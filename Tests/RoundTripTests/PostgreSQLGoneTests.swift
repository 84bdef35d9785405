import CarillonCore
import CarillonSimulator
import Foundation
import FoundationNetworking
import TestSupport
import Testing

@testable import CarillonServer
@testable import CommandSupport
@testable import ServiceSupport

/// Processes that are told to end while their PostgreSQL is gone for good: an init system waits for them.
@Suite("Services whose PostgreSQL does not come back", .serialized)
struct PostgreSQLGoneTests {
    /// Measures the duration of `body`.
    private static func time(_ body: () async throws -> Void) async throws -> Duration {
        let (clock, start) = (SystemClock(), SystemClock().now)
        try await body()
        return clock.now - start
    }

    @Test(
        "a sender that knows outcomes ends in time all the same, and says that work is undone", .timeLimit(.minutes(5)))
    func sender() async throws {
        let server = PostgreSQLForTests(suffix: "gone")
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        let folder = try TemporaryFolder()
        try await SendingSystem.run(at: address) { system in
            let log = folder.url.appending(path: "sender.log")
            let store = system.store.transactions
            // All are in flight when the server goes, and answered when it has gone.
            system.apns.faults.plan.latency = .constant(.seconds(5))
            let program = try system.startSender(log: log)
            await program.untilSending()
            let ids = (0..<4).map { "m-\($0)" }
            try await system.accept(ids)
            let leased = "SELECT count(*) FROM deliveries WHERE sender IS NOT NULL AND purpose = 'show'"
            while try await store.read({ try $0.integer(leased) }) < ids.count * SendingSystem.devices {
                await Task.yield()
            }
            try await server.kill()
            try await system.until { system.taken(Set(ids)).count == ids.count * SendingSystem.devices }
            let taken = try await Self.time { #expect(await program.terminate() == EXIT_FAILURE) }
            #expect(taken < CarillonService.longestEnd + .seconds(StoreLimits.databaseBusySeconds), "\(taken)")
            let said = try String(contentsOf: log, encoding: .utf8)
            #expect(said.contains("the program ends with work undone, which goes on at its next start"), "\(said)")
        }
    }

    @Test(
        "a process that takes requests is live and not ready, and ends, also while a request waits for the database",
        .timeLimit(.minutes(5)))
    func api() async throws {
        let server = PostgreSQLForTests(suffix: "gone-api")
        let folder = try await server.folder().path
        let program = try RunningProgram([
            "serve", "--role", "api", "--port", "0", "--topic", SendingSystem.topic, "--database",
            "postgres://carillon@/postgres?host=\(folder)",
        ])
        var ready: String?
        for await line in program.lines where line.hasPrefix(ReadyLine.prefix) {
            ready = String(line.dropFirst(ReadyLine.prefix.count))
            break
        }
        let url = try #require(ready.flatMap { URL(string: "\($0)/v1/notifications/m") })
        try await server.kill()
        for (path, status) in [("/livez", 200), ("/readyz", 503)] {
            let probe = try #require(ready.flatMap { URL(string: $0 + path) })
            let (data, response) = try await ProgramSession.own.data(from: probe)
            #expect((response as? HTTPURLResponse)?.statusCode == status, "\(path)")
            #expect(String(decoding: data, as: UTF8.self).contains("database") == (status == 503))
        }
        var request = URLRequest(url: url)
        request.setValue("Bearer nobody", forHTTPHeaderField: "Authorization")
        async let answer = ProgramSession.own.data(for: request)
        let taken = try await Self.time { #expect(await program.terminate() == 0) }
        _ = try? await answer
        #expect(taken < .seconds(StoreLimits.databaseBusySeconds * 2), "\(taken)")
    }
}
