import Testing

@testable import CarillonServer

@Suite("The version of SQLite") struct SQLiteVersionTests {
    @Test("one that does not understand the statements is named, with what to do; the oldest that does is taken")
    func oldest() throws {
        let error = #expect(throws: ServiceError.self) { try SQLiteFile.requireVersion(3_037_002) }
        let text = try #require(error?.description)
        #expect(text.contains("this machine has 3.37.2: use Debian 12"), "\(text)")
        try SQLiteFile.requireVersion(3_039_000)
        try SQLiteFile.requireVersion()
    }
}
