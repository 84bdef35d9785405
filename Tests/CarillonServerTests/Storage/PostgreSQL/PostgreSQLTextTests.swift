import Testing

@testable import CarillonServer

@Suite("A statement for PostgreSQL")
struct PostgreSQLTextTests {
    @Test(
        "has numbers for its question marks and quotes around user, and keeps what is quoted",
        arguments: [
            ("SELECT 1", "SELECT 1"), ("", ""), ("?", "$1"),
            (
                "SELECT id FROM devices WHERE app = ? AND user = ?",
                "SELECT id FROM devices WHERE app = $1 AND \"user\" = $2"
            ),
            ("devices.user, excluded.user", "devices.\"user\", excluded.\"user\""),
            ("users, user_imported, device_user, user2", "users, user_imported, device_user, user2"),
            ("'user?' || \"user?\" || ?", "'user?' || \"user?\" || $1"),
            ("'it''s ?' = ?", "'it''s ?' = $1"), ("größe = ? AND user", "größe = $1 AND \"user\""),
        ])
    func translated(_ sql: String, _ expected: String) {
        #expect(PostgreSQLText.translated(sql) == expected)
    }
}
