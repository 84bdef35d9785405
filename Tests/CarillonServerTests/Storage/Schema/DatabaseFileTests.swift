import CarillonCore
import Foundation
import GRDB
import Testing

@testable import CarillonServer

@Suite("A database file")
struct DatabaseFileTests {
    @Test("is readable by its owner only, with all that is beside it, also where it was there before")
    func permissions() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
        let store = Store(try SQLiteEngine(path: path))
        _ = try await store.put(AppSettings(topic: topic), at: noon)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(files.count >= 3)
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.url.appending(path: file).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
        }
        try store.close()
    }

    @Test("gets its tables once from stores that are opened at the same time")
    func together() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 { group.addTask { try SQLiteEngine(path: path).close() } }
            try await group.waitForAll()
        }
    }

    @Test("with tables of another program is refused with a sentence, and stays as it is")
    func foreign() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "carillon.sqlite").path
        let other = try DatabaseQueue(path: path)
        try await other.write { try $0.execute(sql: "CREATE TABLE apps (name TEXT)") }
        let error = #expect(throws: ServiceError.self) { try SQLiteEngine(path: path) }
        #expect(error?.description.contains("name an empty database") == true)
        #expect(try await other.read { try String.fetchAll($0, sql: "SELECT name FROM sqlite_master") } == ["apps"])
    }
}
