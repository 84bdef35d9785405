import Foundation
import TestSupport
import Testing

/// Senders as processes of their own, which are killed while they start and update Live Activities on phones.
@Suite("Live Activities whose senders are killed", .serialized, .timeLimit(.minutes(5)))
struct KilledActivityTests {
    @Test("each phone shows the newest state at the end, and never an older one after a newer")
    func sqlite() async throws {
        try await SendingSystem.run { system in
            try await KilledActivities(system, kills: 9).play()
        }
    }

    @Test("on PostgreSQL, with a sender that lives on beside those that are killed")
    func postgreSQL() async throws {
        let server = PostgreSQLForTests(suffix: "activities")
        let address = "postgres://carillon@/postgres?host=\(try await server.folder().path)"
        try await SendingSystem.run(at: address) { system in
            try await KilledActivities(system, kills: 5, hasSurvivor: true).play()
        }
    }
}
