import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock (`flock(2)`) that a process holds until it releases this object or ends.
package final class HeldFileLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock without waiting; returns `nil` if another holder has the lock.
    ///
    /// - Parameters:
    ///   - path: the lock's file.
    ///   - creating: whether to create the file if it is missing.
    /// - Throws: ``FileLock/Failure`` if the file cannot be opened or locked.
    package convenience init?(path: String, creating: Bool) throws {
        try self.init(path, (creating ? O_CREAT : 0) | O_RDWR)
    }

    /// Takes the lock on a folder without waiting; returns `nil` if another holder has the lock.
    ///
    /// - Parameter folder: the path of the folder, in which no file is made.
    /// - Throws: ``FileLock/Failure`` if the folder cannot be opened or locked.
    convenience init?(folder: String) throws { try self.init(folder, O_RDONLY | O_DIRECTORY) }

    private init?(_ path: String, _ flags: Int32) throws {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileLock.Failure(path: path, reason: String(cString: strerror(errno))) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let problem = errno
            close(descriptor)
            if problem == EWOULDBLOCK { return nil }
            throw FileLock.Failure(path: path, reason: String(cString: strerror(problem)))
        }
        self.descriptor = descriptor
    }

    deinit {
        // While another thread starts a program, the new process has a copy of the descriptor, which keeps the lock after `close`.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
