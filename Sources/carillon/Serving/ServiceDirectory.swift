import ArgumentParser
import CarillonCore
import CarillonServer
import Foundation

/// The folder in which a service keeps its database and its secrets.
struct ServiceDirectory {
    let url: URL

    /// - Throws: a sentence, when the folder cannot be created or written.
    init(path: String) throws {
        url = URL(fileURLWithPath: path, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw ValidationError("--data \(path): the folder cannot be created (\(error.localizedDescription))")
        }
        guard FileManager.default.isWritableFile(atPath: url.path) else {
            throw ValidationError(
                "--data \(path): the folder cannot be written; choose another or change its permissions")
        }
    }

    var databasePath: String { url.appendingPathComponent("carillon.sqlite").path }

    /// The secret with which the customer's backend signs sign-in tokens; created at the first start.
    ///
    /// - Returns: 32 random bytes, stored as hexadecimal in `sign-in.secret`, which only its owner can read.
    func signInSecret() throws -> Data {
        let file = url.appendingPathComponent("sign-in.secret")
        if let text = try? String(contentsOf: file, encoding: .utf8) {
            guard let secret = Data(hexadecimal: text.trimmingCharacters(in: .whitespacesAndNewlines)),
                secret.count >= 32
            else { throw ValidationError("\(file.path): expected 32 or more bytes in hexadecimal") }
            return secret
        }
        let secret = Data(RandomSource.system.bytes(32))
        try Data((secret.hexadecimal + "\n").utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return secret
    }

    func openStore() throws -> SQLiteStore {
        do {
            return try SQLiteStore(path: databasePath)
        } catch {
            throw ValidationError("\(databasePath): the database cannot be opened (\(error))")
        }
    }
}
