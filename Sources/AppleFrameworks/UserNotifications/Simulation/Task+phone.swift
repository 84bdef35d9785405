/// What `Task.detached { … }` means in a file that imports UserNotifications or UIKit: Swift's own, except that the task
/// goes on belonging to the phone whose code has started it, as it does to its process on iOS.
///
/// Preferred over Swift's because they need no default arguments; with a name it is Swift's, and knows no phone while several
/// run in one process.
extension Task where Failure == Never {
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
        return detached(name: nil, priority: priority) {
            await SimulatedDevices.$taskLocal.withValue(device) { await operation() }
        }
    }
}

extension Task where Failure == any Error {
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
        return detached(name: nil, priority: priority) {
            try await SimulatedDevices.$taskLocal.withValue(device) { try await operation() }
        }
    }
}
