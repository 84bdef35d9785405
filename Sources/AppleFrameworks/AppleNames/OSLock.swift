import Foundation
import Glibc

/// A lock that contains the state it guards,
/// [OSAllocatedUnfairLock](https://developer.apple.com/documentation/os/osallocatedunfairlock).
///
/// `@unchecked Sendable`: the state is touched under its lock only.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Storage {
        let lock = NSLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    /// - Parameter uncheckedState: the guarded state; nobody else may have it.
    public init(uncheckedState: State) { storage = Storage(uncheckedState) }

    /// Calls `body` with the guarded state, one caller at a time.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Calls `body` with the guarded state, one caller at a time.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Calls `body` unless another holds the lock.
    ///
    /// - Returns: `nil` when another does.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// - Parameter initialState: the guarded state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes a lock without a state.
    public init() { self.init(uncheckedState: ()) }

    public func lock() { storage.lock.lock() }
    public func unlock() { storage.lock.unlock() }
    /// - Returns: whether it was free.
    public func lockIfAvailable() -> Bool { storage.lock.try() }

    /// Calls `body`, one caller at a time.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }
}

/// A lock in C's form; it must not be copied once it is in use.
///
/// `@unchecked Sendable`: it is there to be used by several threads.
public struct os_unfair_lock_s: @unchecked Sendable {
    fileprivate var mutex = pthread_mutex_t()
    public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(&lock.pointee.mutex) }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(&lock.pointee.mutex) }
/// - Returns: whether it was free.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(&lock.pointee.mutex) == 0 }
