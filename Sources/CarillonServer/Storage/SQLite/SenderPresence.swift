import CarillonCore
import Foundation

/// Manages the lock files that show which senders of a shared SQLite database are alive.
///
/// A sender is the part of a service process that sends pushes to APNs. Each sender holds the lock of its own file as long as its
/// process runs. The operating system releases the lock when the process ends, even after `kill -9`.
enum SenderPresence {
    /// Creates a sender's lock file beside the database, and locks it to show that the sender is running.
    ///
    /// The sender holds the lock until the returned value is released.
    ///
    /// - Throws: ``ServiceError`` if a running sender of this database sends to another APNs (``SenderName``): each would send a
    ///   part of the messages to the wrong one.
    static func begin(_ name: String, beside database: String) throws -> HeldFileLock {
        try FileManager.default.createDirectory(
            atPath: folder(database), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        guard let lock = try HeldFileLock(path: path(name, database), creating: true) else {
            throw ServiceError(.storage, "another sender has the name that was drawn: draw again")
        }
        // After the lock was taken, so that of two senders that begin together at least one sees the other.
        if let own = SenderName.place(in: name), let other = otherPlace(than: own, beside: database) {
            forget(name, beside: database)
            throw ServiceError(
                .busy,
                "another sender of this folder sends to \(other), and this one would send to \(own): end that process, or "
                    + "name its APNs here too")
        }
        return lock
    }

    /// Returns the APNs of a running sender that sends to another one than `own`; `nil` if there is none.
    private static func otherPlace(than own: String, beside database: String) -> String? {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder(database))) ?? []
        return files.lazy.filter { $0.hasSuffix(".lock") }.map { String($0.dropLast(5)) }.compactMap { name in
            SenderName.place(in: name).flatMap { $0 != own && !isFree(name, beside: database) ? $0 : nil }
        }.first
    }

    /// Returns whether a sender's process has certainly ended: the sender's lock file exists and is not locked.
    ///
    /// A missing file proves nothing: the database may be a copy, and the sender may use the original.
    static func isGone(_ name: String, beside database: String) -> Bool {
        ((try? HeldFileLock(path: path(name, database), creating: false)) ?? nil) != nil
    }

    /// Returns whether no process on this machine holds a sender's lock file: the file is missing or not locked.
    ///
    /// A copy of the database may begin only if this is so for all senders.
    static func isFree(_ name: String, beside database: String) -> Bool {
        !FileManager.default.fileExists(atPath: path(name, database)) || isGone(name, beside: database)
    }

    /// Removes the lock file of a sender that has ended.
    static func forget(_ name: String, beside database: String) {
        try? FileManager.default.removeItem(atPath: path(name, database))
    }

    private static func folder(_ database: String) -> String { "\(database).senders" }
    private static func path(_ name: String, _ database: String) -> String { "\(folder(database))/\(name).lock" }
}
