import ArgumentParser
import CarillonCore
import CarillonServer
import CommandSupport
import Foundation
import Logging

/// The folder in which a service keeps its database and its secrets.
package struct ServiceDirectory {
    package let url: URL

    /// Opens a service's folder, and creates it if necessary.
    ///
    /// - Parameters:
    ///   - path: the folder.
    ///   - creating: whether to create the folder if it is missing. The default is `true`.
    /// - Throws: an error whose description names the folder, if it cannot be created or written.
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

    /// Returns the secret with which an app's backend signs sign-in tokens, and creates it if the folder has none.
    ///
    /// - Returns: 32 or more bytes. The file `sign-in.secret` holds them in hexadecimal; only its owner can read it.
    package func signInSecret() throws -> Data {
        let file = url.appendingPathComponent("sign-in.secret")
        guard FileManager.default.fileExists(atPath: file.path) else { return try ownSecret(file) }
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return try Self.secret(in: file)
    }

    /// Reads a secret from a file.
    ///
    /// - Throws: an error whose description names the file, if it cannot be read or contains no secret.
    package static func secret(in file: URL) throws -> Data {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw ValidationError("\(file.path): the file cannot be read")
        }
        guard let secret = Data(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)), secret.count >= 32
        else { throw ValidationError("\(file.path): expected 32 or more bytes in hexadecimal") }
        return secret
    }

    /// Creates the secret with which an app's backend signs sign-in tokens.
    ///
    /// If another process has created the file meanwhile, the function returns the secret in that file.
    private func ownSecret(_ file: URL) throws -> Data {
        let secret = Data(RandomSource.system.bytes(32))
        // Not named after the process: in containers that share the folder, processes may have the same number.
        let draft = url.appendingPathComponent(".sign-in.secret.\(Data(RandomSource.system.bytes(8)).hexadecimal)")
        defer { try? FileManager.default.removeItem(at: draft) }
        let isWritten = FileManager.default.createFile(
            atPath: draft.path, contents: Data((secret.hexadecimal + "\n").utf8),
            attributes: [.posixPermissions: 0o600])
        // A link appears with its whole content or not at all, and only if the file does not exist yet.
        guard isWritten, link(draft.path, file.path) == 0 || errno == EEXIST else {
            throw ValidationError("\(file.path): cannot be written (\(String(cString: strerror(errno))))")
        }
        return try signInSecret()
    }

    /// Opens the database in the folder.
    ///
    /// The function creates the database if it is missing, and upgrades its tables.
    ///
    /// - Parameter telling: receives sentences about an upgrade of the tables. The default does nothing.
    /// - Returns: the store.
    /// - Throws: an error whose description gives the reason, if the database cannot be opened.
    package func openStore(telling: (String) -> Void = { _ in }) throws -> Store {
        try explaining { try SQLiteEngine(path: databasePath, telling: telling) }
    }

    /// Opens the database in the folder for a service that is about to run.
    ///
    /// The function waits while another process writes to the database, or the disk is full.
    ///
    /// - Parameters:
    ///   - wait: the wait that logs its reason.
    ///   - logger: the logger for an upgrade of the tables.
    /// - Returns: the store.
    /// - Throws: an error whose description gives the reason, if waiting would not help, for example with a damaged file.
    package func openStore(_ wait: DatabaseWait, logger: Logger) throws -> Store {
        try explaining {
            try SQLiteEngine.opened(path: databasePath, telling: { logger.notice("\($0)") }) { wait.tell($0) }
        }
    }

    private func explaining(_ open: () throws -> SQLiteEngine) throws -> Store {
        do {
            return Store(try open())
        } catch {
            throw ValidationError("\(databasePath): the database cannot be opened (\(error))")
        }
    }

    /// Opens the database of a service that has run in this folder before.
    ///
    /// - Throws: an error whose description gives the reason, if the folder has no database or the database cannot be opened.
    package func openExistingStore() throws -> Store {
        guard FileManager.default.fileExists(atPath: databasePath) else {
            throw ValidationError(
                "--data \(url.path): there is no database of a service; 'carillon serve' or 'carillon apps add' makes one"
            )
        }
        return try openStore()
    }
}
