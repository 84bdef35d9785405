#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Holds a value that only one thread at a time may read and change.
///
/// Swift's `Mutex` serves the same purpose, but needs iOS 18. Code that runs in an app uses this type, on Linux too, so that tests
/// run the lock that the app has; the service, the simulator and the simulated phone use `Mutex` itself.
///
/// `@unchecked`: ``value`` is used only while the lock is held.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = ThreadLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` with exclusive access to the value.
    ///
    /// `body` must not call this method again on the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

#if canImport(Glibc)
    /// A lock as `NSLock` is one, which would link all of Foundation, with ICU's tables, into programs that need none of it.
    ///
    /// `@unchecked`: the system's calls on the pointer are made for several threads.
    private final class ThreadLock: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() { pthread_mutex_init(mutex, nil) }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        func lock() { pthread_mutex_lock(mutex) }
        func unlock() { pthread_mutex_unlock(mutex) }
    }
#else
    private typealias ThreadLock = NSLock
#endif
