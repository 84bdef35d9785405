import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CarillonServer

@Suite("Which servers are taken")
struct PostgreSQLServerTests {
    @Test("those from PostgreSQL 15 on", arguments: 9...19)
    func versions(_ version: Int) {
        let refusal = PostgreSQLServer.refusal(version: version, synchronousCommit: "on", encoding: "UTF8")
        #expect((refusal == nil) == (version >= 15))
        if let refusal { #expect(refusal.description.contains("15 or newer is needed")) }
    }

    @Test(
        "those that keep what was acknowledged",
        arguments: [("on", true), ("local", true), ("remote_apply", true), ("remote_write", true), ("off", false)])
    func synchronousCommit(_ setting: String, _ isTaken: Bool) {
        let refusal = PostgreSQLServer.refusal(version: 18, synchronousCommit: setting, encoding: "UTF8")
        #expect((refusal == nil) == isTaken)
    }

    @Test("databases in UTF-8")
    func encoding() {
        let refusal = PostgreSQLServer.refusal(version: 18, synchronousCommit: "on", encoding: "SQL_ASCII")
        #expect(refusal?.description.contains("ENCODING 'UTF8'") == true)
    }

    @Test("those whose advisory locks hold others up")
    func locks() async throws {
        let address = try await StoreEngine.emptySchema()
        let handle = try PostgreSQLHandle(url: address)
        try handle.run(
            """
            CREATE FUNCTION pg_advisory_xact_lock(integer, integer) RETURNS void LANGUAGE sql AS ''
            """)
        let schema = try handle.text("SELECT current_schema() AS name")
        // Found before the server's own.
        let store = try? await StoreEngine.postgreSQL(at: address)
        #expect(store != nil)
        try store?.close()
        let shadowed = address.replacingOccurrences(of: schema, with: "\(schema),pg_catalog")
        let error = await #expect(throws: ServiceError.self) { _ = try await StoreEngine.postgreSQL(at: shadowed) }
        #expect(error?.description.contains("advisory locks hold nobody up") == true, "\(String(describing: error))")
    }

    @Test("with verify-full, a server that its authority has named, under that name; else it is said what is wrong")
    func certificates() async throws {
        let server = PostgreSQLForTests(suffix: "tls")
        let port = try await server.secure(as: "localhost")
        let folder = try await server.folder().path
        func opened(_ host: String, _ authority: String) async throws -> Store {
            let address = """
                postgres://carillon@\(host):\(port)/postgres?hostaddr=127.0.0.1&sslmode=verify-full\
                &sslrootcert=\(folder)/\(authority).pem
                """
            return Store(try await PostgreSQLEngine.opened(url: address, readers: 1) { _ in false })
        }
        let store = try await opened("localhost", "ca")
        let secured = try await store.read {
            try $0.integer("SELECT CAST(ssl AS INTEGER) FROM pg_stat_ssl WHERE pid = pg_backend_pid()")
        }
        #expect(secured == 1)
        try store.close()
        for (host, authority, words) in [
            ("localhost", "other-ca", "sslrootcert must name the authority"),
            ("db.example.com", "ca", "the URL's host must be the one in the server's certificate"),
            ("localhost", "missing", "sslrootcert must name a file"),
        ] {
            let error = await #expect(throws: ServiceError.self) { _ = try await opened(host, authority) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test("calls fail together once one has waited for the server in vain", .timeLimit(.minutes(5)))
    func unreachable() {
        let reach = ServerReach()
        let nobody = "postgres://carillon@127.0.0.1:1/carillon?sslmode=disable"
        let first = PostgreSQLConnection(url: nobody, patience: .milliseconds(50), reach: reach)
        let second = PostgreSQLConnection(url: nobody, patience: .seconds(3600), reach: reach)
        #expect(throws: PostgreSQLError.self) { try first.opened() }
        #expect(throws: PostgreSQLError.self) { try second.opened() }
    }

    @Test(
        "writing and reading fail together while the server is gone, and go on when it is back", .timeLimit(.minutes(5))
    )
    func gone() async throws {
        let proxy = try CuttingProxy(to: try await PostgreSQLForTests.shared.folder(), seed: 1)
        defer { proxy.stop() }
        let reach = ServerReach(memory: .seconds(3600))
        let engine = try await PostgreSQLEngine.opened(
            url: try await StoreEngine.emptySchema(through: proxy), schema: .current, patience: .seconds(3600),
            readers: 1, listens: false, reach: reach
        ) { _ in false }
        let store = Store(engine)
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        proxy.cut(.init(commitAnswers: 1, pieces: 1))
        // As after a call that has waited in vain. Each call would wait for an hour without it.
        reach.noteFailure("the server is gone")
        await #expect(throws: (any Error).self) { _ = try await store.put(AppSettings(topic: topic), at: noon) }
        await #expect(throws: (any Error).self) { try await store.read { try $0.integer("SELECT 1") } }
        proxy.heal()
        reach.noteSuccess()
        _ = try await store.put(AppSettings(topic: "com.example.ferry"), at: noon)
        #expect(try await store.apps.all().count == 2)
    }
}
