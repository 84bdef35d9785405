import Foundation
import Testing

@testable import CarillonServer

@Suite("A credential's file that everybody can read")
struct CredentialExposureTests {
    @Test("is told with a command that corrects it, and after the command there is nothing to tell")
    func chmod() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.url.appending(path: "key.p8").path
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
        let told = try #require(CredentialReference.exposure(of: path))
        #expect(told.contains("run 'chmod o-rwx \(path)'"), "\(told)")
        try FileManager.default.setAttributes([.posixPermissions: 0o644 & ~0o007], ofItemAtPath: path)
        #expect(CredentialReference.exposure(of: path) == nil)
    }

    @Test("and that is mounted read-only is not told with chmod, which would fail there")
    func readOnly() {
        let told = CredentialReference.exposure(of: "/secrets/key.p8", isReadOnly: true)
        #expect(!told.contains("chmod") && told.contains("defaultMode"), "\(told)")
    }
}
