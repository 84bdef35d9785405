import Foundation

/// Holds a value that one thread at a time may read and change.
///
/// `Mutex` of Swift's Synchronization does this too, but needs iOS 18. The service, the simulator and the phone use `Mutex`;
/// code that runs in an app uses this type.
///
/// `@unchecked`: ``value`` is only touched while the lock is held.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    /// Runs `body` while no other thread is inside; `body` must not call this method again on this value.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
