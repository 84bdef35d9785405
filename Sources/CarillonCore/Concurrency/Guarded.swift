import Foundation

/// Holds a value that only one thread at a time may read and change.
///
/// Swift's `Mutex` serves the same purpose, but needs iOS 18. Code that runs in an app uses this type, on Linux too, so that tests
/// run the lock that the app has; the service, the simulator and the simulated phone use `Mutex` itself.
///
/// `@unchecked`: ``value`` is used only while the lock is held.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
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
