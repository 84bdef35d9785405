import CarillonCore
import Foundation
import GRDB
import TestSupport
import Testing

@Suite("carillon db")
struct DatabaseCommandTests {
    @Test("what cannot be read is listed with what to do, and is queued again when its cause is mended")
    func check() async throws {
        let folder = try TemporaryFolder()
        let data = folder.url.appending(path: "data")
        func carillon(_ arguments: String...) async throws -> ProgramRun {
            try await CarillonProgram.run(arguments + ["--data", data.path])
        }
        #expect(try await carillon("db", "check").errors.contains("there is no database of a service"))
        _ = try await carillon("apps", "add", "--topic", "com.example.chime")
        let sound = try await carillon("db", "check")
        #expect(sound.status == 0 && sound.output == "every delivery can be read\n")

        let database = try DatabaseQueue(path: data.appending(path: "carillon.sqlite").path)
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO deliveries (device, purpose, revision, state, queued, due, problem)
                    VALUES ('phone', 'badge', 1, 'set-aside', 0, 0, 'something unreadable')
                    """)
        }
        try database.close()
        let damaged = try await carillon("db", "check")
        #expect(damaged.status == 1)
        #expect(damaged.output.contains("a push of the service's own to installation phone: something unreadable"))
        #expect(damaged.output.contains("set aside: 1."))
        #expect(try await carillon("db", "check", "--retry").output == "queued again: 1\n")
        #expect(try await carillon("db", "check").status == 0)
    }

    @Test("PostgreSQL is named by an option, a file or the environment, and by one of them")
    func postgreSQL() async throws {
        let folder = try await PostgreSQLForTests.shared.folder()
        let address = "postgres://carillon@/postgres?host=\(folder.path)"
        let made = try await CarillonProgram.run(["db", "migrate", "--database", address])
        #expect(made.status == 0 && made.output == "the tables are up to date\n", "\(made.transcript)")
        _ = try await CarillonProgram.run(["apps", "add", "--topic", "com.example.chime", "--database", address])
        let own = try TemporaryFolder()
        let named = own.url.appending(path: "address")
        try Data("\(address)\n".utf8).write(to: named)
        let apps = try await CarillonProgram.run(["apps", "list", "--database-file", named.path])
        #expect(apps.output.contains("com.example.chime"), "\(apps.transcript)")
        let sound = try await CarillonProgram.run(["db", "check", "--database", address])
        #expect(sound.output == "every delivery can be read\n", "\(sound.transcript)")

        let both = try await CarillonProgram.run(["db", "check", "--data", "x", "--database", address])
        #expect(both.errors.contains("say one of them"), "\(both.transcript)")
        let none = try await CarillonProgram.run(["db", "check"])
        #expect(none.errors.contains("say where the database is"), "\(none.transcript)")
        let missing = try await CarillonProgram.run([
            "db", "check", "--database", "postgres://me:secret@/x?host=/nowhere",
        ])
        #expect(missing.status != 0 && missing.errors.contains("cannot be reached"), "\(missing.transcript)")
        #expect(!missing.errors.contains("secret"))
    }
}
