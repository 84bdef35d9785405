@_spi(Simulation) import BackgroundTasks
import Dispatch
import Foundation
import Synchronization

/// An app's submitted task requests, which outlive the app's process; usable from any thread.
final class ScheduledTasks: Sendable {
    /// A submitted request; `@unchecked`, because the request is a copy that is never modified.
    struct Entry: @unchecked Sendable {
        let request: BGTaskRequest

        var isRefresh: Bool { request is BGAppRefreshTaskRequest }
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    /// Adds a request, which replaces an earlier one with an equal identifier.
    ///
    /// iOS keeps at most one refresh request and ten processing requests, and refuses others with
    /// `tooManyPendingTaskRequests`
    /// ([submit(_:)](https://developer.apple.com/documentation/backgroundtasks/bgtaskscheduler/submit(_:))).
    func submit(_ request: BGTaskRequest) throws(BGTaskScheduler.Error) {
        let new = Entry(request: request.copy() as? BGTaskRequest ?? request)
        let isTaken = entries.withLock { entries in
            let others = entries.filter { $0.request.identifier != new.request.identifier }
            let limit = new.isRefresh ? IOSLimits.pendingRefreshTasks : IOSLimits.pendingProcessingTasks
            guard others.count(where: { $0.isRefresh == new.isRefresh }) < limit else { return false }
            entries = others + [new]
            return true
        }
        guard isTaken else { throw BGTaskScheduler.Error(.tooManyPendingTaskRequests) }
    }

    func take(_ identifier: String) { entries.withLock { $0.removeAll { $0.request.identifier == identifier } } }

    func cancel(_ identifier: String?) {
        entries.withLock { entries in entries.removeAll { identifier == nil || $0.request.identifier == identifier } }
    }
}

/// The launch handlers that an app's process has registered for its background tasks.
final class TaskHandlers: Sendable {
    struct Handler: Sendable {
        let queue: DispatchQueue?
        let call: @Sendable (BGTask) -> Void
    }

    private let handlers = Mutex<[String: Handler]>([:])

    /// Adds a launch handler for a task identifier.
    ///
    /// - Returns: `false` if the identifier already has a handler; nothing is added then.
    func add(_ handler: Handler, for identifier: String) -> Bool {
        handlers.withLock { handlers in
            guard handlers[identifier] == nil else { return false }
            handlers[identifier] = handler
            return true
        }
    }

    subscript(identifier: String) -> Handler? { handlers.withLock { $0[identifier] } }
}
