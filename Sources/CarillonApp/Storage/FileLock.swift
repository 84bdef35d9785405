import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps the app and its service extension, two processes, from writing at the same time (`flock(2)`).
///
/// The lock is held while one small file is read and written, and is released when its process ends.
struct FileLock {
    let path: String

    /// Waits for the lock, and holds it while `body` runs.
    ///
    /// - Parameter body: reads and writes.
    /// - Returns: what `body` returns.
    /// - Throws: ``StoreError`` when the lock's file cannot be opened, or what `body` throws.
    func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.unreadable(file: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                throw StoreError.unreadable(file: path, reason: String(cString: strerror(errno)))
            }
        }
        return try body()
    }
}
