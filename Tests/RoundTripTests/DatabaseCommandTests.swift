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
        #expect(sound.status == 0 && sound.output.hasSuffix("every delivery can be read\n"), "\(sound.transcript)")
        #expect(sound.output.contains("engine: SQLite") && sound.output.contains("apps: 1 rows"))

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

    @Test("a service moves to PostgreSQL and back, and nothing is served before the copy has ended")
    func copy() async throws {
        let folder = try TemporaryFolder()
        let (data, back) = (folder.url.appending(path: "data").path, folder.url.appending(path: "back").path)
        let address = try await Self.emptyDatabase("copied")
        _ = try await CarillonProgram.run(["apps", "add", "--topic", "com.example.chime", "--data", data])
        let database = try DatabaseQueue(path: "\(data)/carillon.sqlite")
        try await database.write { db in
            try db.execute(sql: "INSERT INTO message_variables VALUES (1, 'Zoë', 7, 'a' || char(0))")
        }
        let refused = try await CarillonProgram.run(["db", "copy", "--from", data, "--to", address])
        #expect(refused.status != 0 && refused.errors.contains("message_variables"), "\(refused.transcript)")
        #expect(refused.errors.contains("1, 'Zoë', 7"))
        let served = try await CarillonProgram.run([
            "serve", "--role", "api", "--topic", "com.example.chime", "--port", "0", "--database", address,
        ])
        #expect(served.status != 0 && served.errors.contains("run the same copy again"), "\(served.transcript)")

        try await database.write { try $0.execute(sql: "UPDATE message_variables SET \"values\" = '{}'") }
        try database.close()
        let copied = try await CarillonProgram.run(["db", "copy", "--from", data, "--to", address])
        #expect(copied.status == 0 && copied.output.contains("message_variables: 1 rows"), "\(copied.transcript)")
        #expect(copied.output.contains("both sides hold the same: 3 rows"))
        let again = try await CarillonProgram.run(["db", "copy", "--from", data, "--to", address])
        #expect(again.status != 0 && again.errors.contains("the target is not empty"), "\(again.transcript)")
        let apps = try await CarillonProgram.run(["apps", "list", "--database", address])
        #expect(apps.output.contains("com.example.chime"), "\(apps.transcript)")
        let returned = try await CarillonProgram.run(["db", "copy", "--from", address, "--to", back])
        #expect(returned.output.contains("both sides hold the same: 3 rows"), "\(returned.transcript)")
    }

    @Test("a backup is one file, is never written over, and is PostgreSQL's own affair there")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let (data, file) = (folder.url.appending(path: "data").path, folder.url.appending(path: "b.sqlite").path)
        let none = try await CarillonProgram.run(["db", "backup", "--data", data, "--to", file])
        #expect(none.status != 0 && none.errors.contains("there is no database"), "\(none.transcript)")
        _ = try await CarillonProgram.run(["apps", "add", "--topic", "com.example.chime", "--data", data])
        let made = try await CarillonProgram.run(["db", "backup", "--data", data, "--to", file])
        #expect(made.status == 0 && made.output.hasSuffix("bytes, checked\n"), "\(made.transcript)")
        let second = try await CarillonProgram.run(["db", "backup", "--data", data, "--to", file])
        #expect(second.status != 0 && second.errors.contains("exists: name a new file"), "\(second.transcript)")
        let full = try await CarillonProgram.run(["db", "backup", "--data", data, "--to", "/dev/full/b.sqlite"])
        #expect(full.status != 0 && full.errors.contains("cannot be created"), "\(full.transcript)")
        let address = "postgres://carillon@/postgres"
        let other = try await CarillonProgram.run(["db", "backup", "--database", address, "--to", file + "2"])
        #expect(other.status != 0 && other.errors.contains("pg_dump"), "\(other.transcript)")
        #expect(FileManager.default.fileExists(atPath: file) && !FileManager.default.fileExists(atPath: file + "2"))
    }

    /// A database of its own at the server of the tests.
    private static func emptyDatabase(_ name: String) async throws -> String {
        let folder = try await PostgreSQLForTests.shared.folder()
        let made = try await CarillonProgram.runTool("createdb", "-h", folder.path, "-U", "carillon", name)
        #expect(made.status == 0, "\(made.transcript)")
        return "postgres://carillon@/\(name)?host=\(folder.path)"
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
        // The server of the tests keeps nothing safe, and is told so.
        #expect(sound.status == 2 && sound.output.contains("problem: fsync is off"), "\(sound.transcript)")
        #expect(sound.output.contains("engine: PostgreSQL") && sound.output.contains("apps: 1 rows"))

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
