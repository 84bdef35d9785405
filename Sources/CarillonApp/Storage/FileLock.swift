import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Keeps the app and its service extension, two processes, from writing at the same time (`flock(2)`). The lock is
/// held for the length of one small file's reading and writing, and falls when its process ends.
struct FileLock {
    let path: String

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

/// Why the store cannot be used now.
enum StoreError: Error, CustomStringConvertible {
    /// There, but not to be read: before the first unlock after a restart, protected files are not.
    case unreadable(file: String, reason: String)
    case unwritable(file: String, reason: String)

    var description: String {
        switch self {
        case .unreadable(let file, let reason): "cannot read \(file): \(reason)"
        case .unwritable(let file, let reason): "cannot write \(file): \(reason)"
        }
    }
}
