import CarillonCore
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import ServiceSupport

@Suite("The folder of a service")
struct ServiceDirectoryTests {
    @Test("processes that start together agree on one sign-in secret, which only its owner can read")
    func secret() async throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "data").path
        let secrets = try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<8 { group.addTask { try ServiceDirectory(path: path).signInSecret() } }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(secrets.count == 1)
        #expect(secrets.first?.count == 32)
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(files == ["sign-in.secret"])
        for (file, permissions) in [("", 0o700), ("/sign-in.secret", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + file)
            #expect(attributes[.posixPermissions] as? Int == permissions, "\(file)")
        }
    }

    @Test("what only looks makes neither a folder nor a database")
    func looking() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "data").path
        #expect(throws: (any Error).self) {
            try ServiceDirectory(path: path, creating: false).openExistingStore()
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
