import CarillonCore
import Testing

@testable import CarillonServer

@Suite("Announcements at PostgreSQL")
struct PostgreSQLListenerTests {
    @Test("wait for the next connection if theirs is lost while they are sent")
    func lost() throws {
        // Nobody listens at this port, so the listener's own thread sends nothing.
        let listener = PostgreSQLListener(url: "postgres://carillon@127.0.0.1:1/none")
        defer { listener.close() }
        _ = listener.announcements()
        for announcement in StoreAnnouncement.allCases { listener.announce(announcement) }
        var sent: [StoreAnnouncement] = []
        #expect(throws: PostgreSQLError.self) {
            try listener.sendPending { announcement in
                guard sent.isEmpty else { throw PostgreSQLConnection.lost }
                sent.append(announcement)
            }
        }
        #expect(sent.count == 1)
        #expect(try listener.sendPending { sent.append($0) })
        #expect(Set(sent) == Set(StoreAnnouncement.allCases))
        #expect(try !listener.sendPending { sent.append($0) })
    }
}
