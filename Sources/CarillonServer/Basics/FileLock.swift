import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock between processes (`flock(2)`), for instance between two services on one database.
///
/// The system releases the lock when the process ends, even by a crash.
package struct FileLock: Sendable {
    /// The error that is thrown if a lock cannot be taken.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The path of the lock's file.
        package var path: String
        /// The system's error message.
        package var reason: String

        package var description: String { "the lock \(path) cannot be taken: \(reason)" }
    }

    /// The path of the lock's file.
    ///
    /// The file is empty and stays after use.
    package let path: String

    /// Creates a lock on a path.
    ///
    /// ``withLock(_:)`` creates and opens the file.
    package init(path: String) { self.path = path }

    /// Waits for the lock, runs `body`, and releases the lock.
    ///
    /// - Parameter body: the work that only one process may do at a time.
    /// - Returns: the value that `body` returns.
    /// - Throws: ``Failure`` if the lock's file cannot be opened, or the errors of `body`.
    package func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        }
        // As in ``HeldFileLock``.
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}
