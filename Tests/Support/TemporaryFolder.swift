import Foundation

/// A folder that goes when the test does.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("carillon-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a file that only its owner can read, as a credential has to be.
    package static func write(secret: Data, to file: URL) throws {
        _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        try secret.write(to: file)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
