import Foundation

/// Prevents a second `carillon up` with the same folder, since both would send the same messages.
///
/// The system releases the lock when the process ends, also after a crash.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Throws: ``LocalStackError`` while another process holds the lock.
    init(_ folder: URL) throws {
        descriptor = open(folder.appendingPathComponent("up.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LocalStackError(
                "--data \(folder.path): cannot be written; choose another folder or change its permissions")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw LocalStackError(
                "--data \(folder.path): another 'carillon up' uses this folder; stop it or choose another folder")
        }
    }

    deinit { close(descriptor) }
}
