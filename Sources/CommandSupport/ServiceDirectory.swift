import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation
import Logging

/// The folder in which a service keeps its database and its secrets.
package struct ServiceDirectory {
    package let url: URL

    /// Opens a folder.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - creating: whether to create the folder if it is missing. The default is `true`.
    /// - Throws: a sentence if the folder cannot be created or written.
    package init(path: String, creating: Bool = true) throws {
        url = URL(fileURLWithPath: path, isDirectory: true)
        guard creating else { return }
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw ValidationError("--data \(path): the folder cannot be created (\(error.localizedDescription))")
        }
        guard FileManager.default.isWritableFile(atPath: url.path) else {
            throw ValidationError(
                "--data \(path): the folder cannot be written; choose another or change its permissions")
        }
    }

    package var databasePath: String { url.appendingPathComponent("carillon.sqlite").path }

    /// Returns the secret with which the customer's backend signs sign-in tokens.
    ///
    /// Creates it at the first start.
    ///
    /// - Returns: 32 random bytes. They are stored in hexadecimal in `sign-in.secret`, which only its owner can read.
    package func signInSecret() throws -> Data {
        let file = url.appendingPathComponent("sign-in.secret")
        guard FileManager.default.fileExists(atPath: file.path) else { return try ownSecret(file) }
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return try Self.secret(in: file)
    }

    /// Reads a secret.
    ///
    /// - Throws: a sentence if the file cannot be read or contains no secret.
    package static func secret(in file: URL) throws -> Data {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw ValidationError("\(file.path): the file cannot be read")
        }
        guard let secret = Data(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)), secret.count >= 32
        else { throw ValidationError("\(file.path): expected 32 or more bytes in hexadecimal") }
        return secret
    }

    /// Creates the secret.
    ///
    /// Returns another process's secret if that was created first.
    private func ownSecret(_ file: URL) throws -> Data {
        let secret = Data(RandomSource.system.bytes(32))
        let draft = url.appendingPathComponent(".sign-in.secret.\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: draft) }
        let isWritten = FileManager.default.createFile(
            atPath: draft.path, contents: Data((secret.hexadecimal + "\n").utf8),
            attributes: [.posixPermissions: 0o600])
        // A link appears with its whole content or not at all, and only if there is no file yet.
        guard isWritten, link(draft.path, file.path) == 0 || errno == EEXIST else {
            throw ValidationError("\(file.path): cannot be written (\(String(cString: strerror(errno))))")
        }
        return try signInSecret()
    }

    /// Opens the database.
    ///
    /// Creates it if it is missing, and upgrades its tables.
    ///
    /// - Returns: the store.
    /// - Throws: a sentence if the database cannot be opened.
    package func openStore() throws -> Store {
        try explaining { try SQLiteEngine(path: databasePath) }
    }

    /// Opens the database for a service.
    ///
    /// Waits while another process writes.
    ///
    /// - Parameter logger: the logger for the reason of the wait.
    /// - Returns: the store.
    /// - Throws: a sentence if the database cannot be opened.
    package func openStore(logger: Logger) throws -> Store {
        try explaining {
            try SQLiteEngine.opened(path: databasePath) {
                logger.warning("waiting for the database", metadata: ["reason": "\($0)"])
            }
        }
    }

    private func explaining(_ open: () throws -> SQLiteEngine) throws -> Store {
        do {
            return Store(try open())
        } catch {
            throw ValidationError("\(databasePath): the database cannot be opened (\(error))")
        }
    }

    /// Opens the database of a service that has run here.
    ///
    /// Throws if there is none.
    package func openExistingStore() throws -> Store {
        guard FileManager.default.fileExists(atPath: databasePath) else {
            throw ValidationError(
                "--data \(url.path): there is no database of a service; 'carillon serve' or 'carillon apps add' makes one"
            )
        }
        return try openStore()
    }
}
