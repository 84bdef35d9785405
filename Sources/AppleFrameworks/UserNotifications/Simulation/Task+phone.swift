/// Replaces Swift's `Task { … }` and `Task.detached { … }` in files that import UserNotifications or UIKit: the task runs for
/// the simulated phone whose code starts it.
///
/// The phone also knows when such a task has work off the main actor. Otherwise these initializers and methods do what
/// Swift's own do.
///
/// Swift prefers these methods to its own because they need no default arguments. They do not replace Swift's methods for a
/// task with a name. While several phones run in one program, a detached task with a name does not know its phone, and the
/// phone does not know of the task's work. The phone also does not know of the work of a task on an app's own actor.
extension Task where Failure == Never {
    @discardableResult public init(
        @_inheritActorContext @_implicitSelfCapture
        operation: sending @escaping @isolated(any) () async -> Success
    ) { self = Self.begun(nil, operation) }

    @discardableResult public init(
        priority: TaskPriority?,
        @_inheritActorContext @_implicitSelfCapture
        operation: sending @escaping @isolated(any) () async -> Success
    ) { self = Self.begun(priority, operation) }

    private static func begun(
        _ priority: TaskPriority?, _ operation: sending @escaping @isolated(any) () async -> Success
    ) -> Self {
        let isolation = SimulatedDevices.isolation(of: operation)
        guard let device = SimulatedDevices.current, isolation == nil || isolation === MainActor.shared
        else { return Task(name: nil, priority: priority, operation: operation) }
        guard isolation == nil else {
            // The preference is the whole task's: with one for `operation` alone, the task would pass through Swift's own pool at
            // its end, and the phone would not know.
            nonisolated(unsafe) let operation = operation
            return Task(name: nil, executorPreference: device.executorOfMainActorTask(), priority: priority) {
                @MainActor in
                await operation()
            }
        }
        return Task(name: nil, executorPreference: device.taskExecutor, priority: priority) { await operation() }
    }

    @discardableResult public static func detached(
        operation: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        detached(priority: nil, operation: operation)
    }

    @discardableResult public static func detached(
        priority: TaskPriority?, operation: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        guard let device = SimulatedDevices.current else {
            return detached(name: nil, priority: priority, operation: operation)
        }
        return detached(name: nil, executorPreference: device.taskExecutor, priority: priority) {
            await SimulatedDevices.$taskLocal.withValue(device) { await operation() }
        }
    }
}

extension Task where Failure == any Error {
    @discardableResult public init(
        @_inheritActorContext @_implicitSelfCapture
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) { self = Self.begun(nil, operation) }

    @discardableResult public init(
        priority: TaskPriority?,
        @_inheritActorContext @_implicitSelfCapture
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) { self = Self.begun(priority, operation) }

    private static func begun(
        _ priority: TaskPriority?, _ operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Self {
        let isolation = SimulatedDevices.isolation(of: operation)
        guard let device = SimulatedDevices.current, isolation == nil || isolation === MainActor.shared
        else { return Task(name: nil, priority: priority, operation: operation) }
        guard isolation == nil else {
            // The preference is the whole task's: with one for `operation` alone, the task would pass through Swift's own pool at
            // its end, and the phone would not know.
            nonisolated(unsafe) let operation = operation
            return Task(name: nil, executorPreference: device.executorOfMainActorTask(), priority: priority) {
                @MainActor in
                try await operation()
            }
        }
        return Task(name: nil, executorPreference: device.taskExecutor, priority: priority) { try await operation() }
    }

    @discardableResult public static func detached(
        operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        detached(priority: nil, operation: operation)
    }

    @discardableResult public static func detached(
        priority: TaskPriority?, operation: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        guard let device = SimulatedDevices.current else {
            return detached(name: nil, priority: priority, operation: operation)
        }
        return detached(name: nil, executorPreference: device.taskExecutor, priority: priority) {
            try await SimulatedDevices.$taskLocal.withValue(device) { try await operation() }
        }
    }
}

extension SimulatedDevices {
    /// Returns the actor of an operation.
    ///
    /// The compiler (Swift 6.3) crashes if a generic type reads `isolation` without this function.
    fileprivate static func isolation<Success>(
        of operation: @isolated(any) () async throws -> Success
    ) -> (any Actor)? { operation.isolation }
}
