import CarillonCore
import CarillonServer
import Foundation

/// A lock that prevents a second `carillon up` with the same folder, because both would send the same messages.
final class DirectoryLock: Sendable {
    private let lock: HeldFileLock

    /// Takes the lock.
    ///
    /// - Throws: ``LocalStackError`` if another process holds the lock, or if the folder cannot be written.
    init(_ folder: URL) throws {
        let path = folder.appendingPathComponent("up.lock").path
        let taken: HeldFileLock?
        do {
            taken = try HeldFileLock(path: path, creating: true)
        } catch {
            throw LocalStackError(
                "--data \(folder.path): cannot be written; choose another folder or change its permissions")
        }
        guard let taken else {
            throw LocalStackError(
                "--data \(folder.path): another 'carillon up' uses this folder; stop it or choose another folder")
        }
        lock = taken
    }
}
