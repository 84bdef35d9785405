@_spi(Simulation) import BackgroundTasks
import CarillonCore
import Dispatch
import Foundation
@_spi(Simulation) import UserNotifications

/// The methods that run a task of an app: the app has submitted the task to `BGTaskScheduler`, and gets background time for it.
extension Background {
    func runTask(_ identifier: String, of app: InstalledApp) async -> TraceEntry {
        let entry = traces.begin(event: "background task \(identifier)", of: app.bundle.bundleID)
        func refuse(_ why: String) -> TraceEntry {
            entry.update { $0.wake = .init(kind: .notWoken, why: "not called: \(why)") }
            entry.finish()
            return entry
        }
        let submitted = perApp[app].scheduledTasks.all.first { $0.request.identifier == identifier }
        guard let task = submitted else { return refuse("the app has submitted no task of this identifier") }
        if let why = refusal(of: task, app) { return refuse(why) }
        let wasRunning = life.process(of: app) != nil
        let (process, grant) = await giveBackgroundTime(to: app)
        guard let handler = process.taskHandlers[identifier] else {
            process.made(.taskWithoutHandler, identifier) { entry.note($0) }
            process.gate.take(grant)
            return refuse("the app has registered no handler for it while it was launched")
        }
        perApp[app].scheduledTasks.take(identifier)
        entry.update { $0.wake = .init(kind: wasRunning ? .called : .launched, why: "called for its task") }
        noteProtectedFiles(in: entry)
        await call(handler, for: task, process, grant, entry)
        return entry
    }

    private func refusal(of task: ScheduledTasks.Entry, _ app: InstalledApp) -> String? {
        if life.isForceQuit(app), kernel.rules.keeps(.forceQuitStopsWakes) {
            return "the app had been force-quit by then"
        }
        if !device.settings(of: app).isBackgroundRefreshOn { return "Background App Refresh is off for this app" }
        if let date = task.request.earliestBeginDate, date > kernel.now.date {
            return "its earliestBeginDate has not come"
        }
        let needsNetwork = (task.request as? BGProcessingTaskRequest)?.requiresNetworkConnectivity ?? false
        return needsNetwork && !device.network.isOnline ? "it needs a network, and the phone is offline" : nil
    }

    private func call(
        _ handler: TaskHandlers.Handler, for task: ScheduledTasks.Entry, _ process: AppProcess,
        _ grant: ProcessGate.Grant, _ entry: TraceEntry
    ) async {
        let expiring = LockedValue<BGTask?>(nil)
        let isRefresh = task.isRefresh
        let completion: CompletionHandler<Bool> = completionHandler(
            "setTaskCompleted", of: process,
            seconds: isRefresh ? kernel.rules.backgroundWakeSeconds : IOSLimits.processingTaskSeconds, grant: grant,
            expire: { close in
                // The app's last chance: an answer within this call still counts.
                ProcessScheduler.shared.run(as: process, "expirationHandler") {
                    expiring.value?.expirationHandler?()
                } done: { _ in
                    close()
                }
            }, heard: { entry.update { $0.wake?.answerCount += 1 } }, report: { entry.note($0.sentence) })
        follow(completion) { [self] outcome in
            wakeEnded(entry, outcome.answer, of: process, method: "setTaskCompleted")
        }
        let kind = isRefresh ? BGAppRefreshTask.self : BGProcessingTask.self
        let new = kind.init(identifier: task.request.identifier, complete: completion.call)
        expiring.value = new
        await kernel.call(process, "launchHandler") {
            guard let queue = handler.queue else { return handler.call(new) }
            queue.async { handler.call(new) }
        }
    }
}

extension CompletionHandler<Bool>.Outcome {
    /// The outcome as a trace entry records it: `newData` for a task that succeeded, `failed` for a task that did not.
    fileprivate var answer: CompletionHandler<PushTrace.Wake.Answer>.Outcome {
        switch self {
        case .called(let success): .called(success ? .newData : .failed)
        case .overdue: .overdue
        case .processEnded: .processEnded
        }
    }
}

/// Carries out the methods of `BGTaskScheduler` that an app calls.
extension AppProcess: BGTaskHost {
    nonisolated func register(
        _ identifier: String, queue: DispatchQueue?, launchHandler: @escaping @Sendable (BGTask) -> Void
    ) -> Bool {
        if isLaunched.value { made(.taskRegisteredLate, identifier) }
        guard isPermitted(identifier) else { return false }
        let isNew = taskHandlers.add(.init(queue: queue, call: launchHandler), for: identifier)
        if !isNew { made(.taskRegisteredTwice, identifier) }
        return isNew
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
