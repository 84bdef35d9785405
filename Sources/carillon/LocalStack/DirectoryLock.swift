import Foundation

/// Keeps a second `carillon up` out of a folder: two would send each other's messages and answer for each other's phones.
/// The system lets go of it when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``LocalStackError`` while another process holds the lock.
    init(_ folder: URL) throws {
        descriptor = open(folder.appendingPathComponent("up.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LocalStackError("--data \(folder.path): cannot be written; choose a folder of yours")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw LocalStackError(
                "--data \(folder.path): another carillon up uses this folder; stop it or choose another")
        }
    }

    deinit { close(descriptor) }
}
