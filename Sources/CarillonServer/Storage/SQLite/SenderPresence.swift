import CarillonCore
import Foundation

/// How processes that share a database know of each other that they live: each sender holds the lock of a file of its own
/// as long as its process does, and the system releases it, also after `kill -9`.
enum SenderPresence {
    /// Takes a sender's lock, for as long as what is returned lives.
    static func begin(_ name: String, beside database: String) throws -> HeldFileLock {
        try FileManager.default.createDirectory(
            atPath: folder(database), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let lock = try HeldFileLock(path: path(name, database), creating: true) else {
            throw ServiceError(.storage, "another sender has the name that was drawn: draw again")
        }
        return lock
    }

    /// Whether a sender's process is known to have ended: its file is there, and its lock is free.
    ///
    /// Without the file nothing is known: the database may be a copy, and the sender may live beside the original.
    static func isGone(_ name: String, beside database: String) -> Bool {
        ((try? HeldFileLock(path: path(name, database), creating: false)) ?? nil) != nil
    }

    /// Whether nothing says that a sender lives: its lock is free, or there is no file with one.
    static func isFree(_ name: String, beside database: String) -> Bool {
        !FileManager.default.fileExists(atPath: path(name, database)) || isGone(name, beside: database)
    }

    /// Removes what a sender that is gone has left.
    static func forget(_ name: String, beside database: String) {
        try? FileManager.default.removeItem(atPath: path(name, database))
    }

    private static func folder(_ database: String) -> String { "\(database).senders" }
    private static func path(_ name: String, _ database: String) -> String { "\(folder(database))/\(name).lock" }
}
