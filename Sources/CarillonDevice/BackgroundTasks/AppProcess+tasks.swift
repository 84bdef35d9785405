@_spi(Simulation) import BackgroundTasks
import Foundation
@_spi(Simulation) import UserNotifications

/// The calls of an app to `BGTaskScheduler`.
extension AppProcess: BGTaskHost {
    nonisolated func register(
        _ identifier: String, queue: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool {
        isPermitted(identifier) && taskHandlers.add(.init(queue: queue, call: launchHandler), for: identifier)
    }

    nonisolated func submit(_ request: BGTaskRequest) throws(BGTaskScheduler.Error) {
        let mode: AppBundle.BackgroundMode = request is BGAppRefreshTaskRequest ? .fetch : .processing
        guard isPermitted(request.identifier), bundle.backgroundModes.contains(mode) else {
            throw BGTaskScheduler.Error(.notPermitted)
        }
        try scheduledTasks.submit(request)
    }

    nonisolated func cancelTask(_ identifier: String?) { scheduledTasks.cancel(identifier) }

    nonisolated var submittedTasks: [BGTaskRequest] { scheduledTasks.all.map(\.request) }

    private nonisolated func isPermitted(_ identifier: String) -> Bool {
        bundle.permittedTaskIdentifiers?.contains(identifier) ?? true
    }
}
