import Foundation
import Glibc

/// A lock that contains the guarded state:
/// [OSAllocatedUnfairLock](https://developer.apple.com/documentation/os/osallocatedunfairlock).
///
/// `@unchecked Sendable`: the state is used only under its lock.
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private final class Storage {
        let lock = NSLock()
        var state: State
        init(_ state: State) { self.state = state }
    }

    private let storage: Storage

    /// Makes a lock around a state whose type need not be `Sendable`.
    ///
    /// - Parameter uncheckedState: the guarded state; no other code may use it.
    public init(uncheckedState: State) { storage = Storage(uncheckedState) }

    /// Calls `body` with exclusive access to the guarded state.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Calls `body` with exclusive access to the guarded state.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Calls `body` unless the lock is already held.
    ///
    /// - Returns: the result of `body`; `nil` if the lock was held.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// Makes a lock around a state.
    ///
    /// - Parameter initialState: the guarded state.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes a lock without a state.
    public init() { self.init(uncheckedState: ()) }

    public func lock() { storage.lock.lock() }
    public func unlock() { storage.lock.unlock() }
    /// Takes the lock if it is free.
    ///
    /// - Returns: whether the lock was free.
    public func lockIfAvailable() -> Bool { storage.lock.try() }

    /// Calls `body` while holding the lock.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked { _ in try body() }
    }
}

/// A lock without state, for C's functions such as ``os_unfair_lock_lock(_:)``; it must not be copied after its first use.
///
/// `@unchecked Sendable`: it is meant for use by several threads.
public struct os_unfair_lock_s: @unchecked Sendable {
    fileprivate var mutex = pthread_mutex_t()
    public init() {}
}

public typealias os_unfair_lock = os_unfair_lock_s
public typealias os_unfair_lock_t = UnsafeMutablePointer<os_unfair_lock_s>

public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { pthread_mutex_lock(&lock.pointee.mutex) }
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { pthread_mutex_unlock(&lock.pointee.mutex) }
/// Takes the lock if it is free.
///
/// - Returns: whether the lock was free.
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { pthread_mutex_trylock(&lock.pointee.mutex) == 0 }
