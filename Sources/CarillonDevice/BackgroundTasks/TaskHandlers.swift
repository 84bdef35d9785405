@_spi(Simulation) import BackgroundTasks
import Dispatch
import Synchronization

/// The launch handlers that an app's process has registered for its background tasks.
final class TaskHandlers: Sendable {
    struct Handler: Sendable {
        let queue: DispatchQueue?
        let call: @Sendable (BGTask) -> Void
    }

    private let handlers = Mutex<[String: Handler]>([:])

    /// - Returns: `false` when there is one already.
    func add(_ handler: Handler, for identifier: String) -> Bool {
        handlers.withLock { handlers in
            guard handlers[identifier] == nil else { return false }
            handlers[identifier] = handler
            return true
        }
    }

    subscript(identifier: String) -> Handler? { handlers.withLock { $0[identifier] } }
}
