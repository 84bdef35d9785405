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
}
