import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps processes from doing the same thing at the same time (`flock(2)`): an app and its service extension that write
/// one file, two services that start with one database.
///
/// The system releases the lock when its process ends, also after a crash.
package struct FileLock: Sendable {
    /// Why there is no lock to be had.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// The lock's file.
        package var path: String
        /// What the system says.
        package var reason: String

        package var description: String { "the lock \(path) cannot be taken: \(reason)" }
    }

    /// The lock's file; it is empty, and stays.
    package let path: String

    /// Nothing is opened before ``withLock(_:)``.
    package init(path: String) { self.path = path }

    /// Waits for the lock, and holds it while `body` runs.
    ///
    /// - Parameter body: what no two processes may do at once.
    /// - Returns: what `body` returns.
    /// - Throws: ``Failure`` when the lock's file cannot be opened, or what `body` throws.
    package func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Failure(path: path, reason: String(cString: strerror(errno))) }
        }
        return try body()
    }
}
