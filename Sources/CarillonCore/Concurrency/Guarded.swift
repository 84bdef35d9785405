import Foundation

#if os(Linux)
    import Synchronization
#endif

/// Holds a value that only one thread at a time may read and change.
///
/// Swift's `Mutex` serves the same purpose, but needs iOS 18. Code that runs in an app uses this type, which contains a `Mutex`
/// on Linux; the service, the simulator and the simulated phone use `Mutex` itself.
///
/// `@unchecked`: ``value`` is used only while the lock is held.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    #if os(Linux)
        private let value: Mutex<Value>

        package init(_ value: Value) { self.value = Mutex(value) }
    #else
        private let lock = NSLock()
        private var value: Value

        package init(_ value: Value) { self.value = value }
    #endif

    /// Runs `body` with exclusive access to the value.
    ///
    /// `body` must not call this method again on the same value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        #if os(Linux)
            // The result never leaves the thread that waits for it here.
            nonisolated(unsafe) var result: Result?
            try value.withLock { value throws(Failure) in result = try body(&value) }
            guard let result else { preconditionFailure("the body has run") }
            return result
        #else
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        #endif
    }
}
