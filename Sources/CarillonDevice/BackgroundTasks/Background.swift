import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The background time of apps: an app that the system calls has 30 seconds, and is terminated if it takes longer.
///
/// These rules apply to silent pushes, notification actions and background fetches alike. The app gets a completion handler, and
/// a ``ProcessGate/Grant``: a permission to run in the background. The grant ends when the app calls the handler, or at the
/// deadline. The time limits are in ``IOSLimits``.
@MainActor final class Background: PartWithApps {
    /// The background work that an app has requested.
    struct AppState {
        /// The interval of background fetches in seconds, set by `setMinimumBackgroundFetchInterval`; `nil` for never.
        var fetchIntervalSeconds: TimeInterval?
        /// The app's requests to `BGTaskScheduler`.
        let scheduledTasks = ScheduledTasks()
    }

    let kernel: PhoneKernel
    let traces: Traces
    let device: DeviceState
    let apps: InstalledApps
    let life: AppLife
    var perApp = PerApp(AppState())

    /// Makes the part of a phone that gives apps background time.
    ///
    /// - Parameter life: the part of the phone that launches apps and ends them.
    init(life: AppLife) {
        kernel = life.kernel
        traces = life.traces
        device = life.device
        apps = life.apps
        self.life = life
    }

    // MARK: requests of apps

    func scheduledTasks(of app: InstalledApp) -> ScheduledTasks { perApp[app].scheduledTasks }

    func setFetchInterval(_ seconds: TimeInterval, of app: InstalledApp) {
        perApp[app].fetchIntervalSeconds = seconds < UIApplication.backgroundFetchIntervalNever ? seconds : nil
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) { perApp.install(app, updating: old) { _, _ in } }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    // MARK: background time

    /// Whether calling the completion handler suspends the app immediately, on the calling thread.
    private var suspendsAtOnce: Bool { kernel.rules.keeps(.suspendedAtOnce) }

    /// Gives an app 30 seconds to run in the background; resumes or launches the app if necessary.
    ///
    /// - Parameters:
    ///   - app: the app, which may be suspended or not running.
    ///   - launchOptions: the options of a launch; ignored if the app already has a process.
    /// - Returns: the app's process, and its permission to run in the background, which the caller must end.
    func giveBackgroundTime(
        to app: InstalledApp, launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) async -> (process: AppProcess, grant: ProcessGate.Grant) {
        if let running = life.process(of: app) { return (running, giveBackgroundTime(to: running)) }
        var taken: ProcessGate.Grant?
        let process = await life.launch(app, options: launchOptions, isInFront: false) { taken = $0.gate.grant() }
        process.backgroundDeadline = kernel.now + .seconds(kernel.rules.backgroundWakeSeconds)
        return (process, taken ?? process.gate.grant())
    }

    /// Gives an app 30 seconds to run in the background, and resumes the app if it is suspended.
    ///
    /// - Returns: the app's permission to run in the background, which the caller must end.
    func giveBackgroundTime(to process: AppProcess) -> ProcessGate.Grant {
        let grant = process.gate.grant()
        life.resumed(process)
        process.backgroundDeadline = kernel.now + .seconds(kernel.rules.backgroundWakeSeconds)
        return grant
    }

    // MARK: the completion handler

    /// Makes a completion handler for the app, and starts its time limit.
    ///
    /// - Parameters:
    ///   - name: the handler's name, which follows "the completion handler of" in error texts.
    ///   - process: the process that must call the handler.
    ///   - seconds: the time limit in seconds, by the phone's clock; `nil` means the 30 seconds of background time.
    ///   - grant: the process's permission to run in the background; the first call of the handler ends it. The default is `nil`.
    ///   - expire: called when the time limit has passed, with a function `close`. The handler counts as overdue once this
    ///     closure calls `close`; the default calls it immediately.
    ///   - twice: the mistake that the app makes by calling the handler a second time. The phone ends the app for it, unless
    ///     ``PhoneRules/onlyWarnedMistakes`` contains it. With `nil`, the default, the phone only calls `report`.
    ///   - heard: called at every call of the handler; the default does nothing.
    ///   - report: called with a description of each wrong call. ``follow(_:then:)`` also calls it if the app never calls the
    ///     handler.
    /// - Returns: the handler; wait for its outcome, or pass it to ``follow(_:then:)``.
    func completionHandler<Value: Sendable>(
        _ name: String, of process: RunningProcess, seconds: Int? = nil, grant: ProcessGate.Grant? = nil,
        expire: @escaping @MainActor @Sendable (_ close: @escaping @Sendable () -> Void) -> Void = { $0() },
        twice: AppMistake? = nil, heard: (@MainActor @Sendable () -> Void)? = nil,
        report: @escaping @MainActor @Sendable (HandlerProblem) -> Void
    ) -> CompletionHandler<Value> {
        let answer = PendingAnswer<Value>()
        let seconds = seconds ?? kernel.rules.backgroundWakeSeconds
        let deadline = kernel.schedule(afterSeconds: seconds) { expire { answer.close() } }
        let endAction = process.onEnd { answer.close() }
        return CompletionHandler(
            name, seconds: seconds, of: process, grant: grant, answer: answer, deadline: deadline, endAction: endAction,
            call: { [mailbox = kernel.mailbox, suspendsAtOnce] value in
                guard !process.hasEndedForMistake else { return }
                let count = answer.give(value)
                if let grant, count == 1, suspendsAtOnce { process.gate.take(grant) }
                let problem = HandlerProblem.ofCall(count, of: name)
                guard heard != nil || problem != nil else { return }
                mailbox.post {
                    heard?()
                    if let problem { report(problem) }
                }
                if let twice, let count, count > 1 { process.made(twice, name) { report(.ofMistake($0)) } }
            }, report: report)
    }

    /// Waits, without blocking, until the app calls a handler, the handler's time limit passes, or the process ends.
    ///
    /// Afterwards, this method reports the handler if it is overdue, calls `then`, and ends the handler's permission to run
    /// in the background.
    ///
    /// - Parameters:
    ///   - handler: a handler that the app has received or is about to receive.
    ///   - then: called with the outcome; the default does nothing.
    func follow<Value: Sendable>(
        _ handler: CompletionHandler<Value>,
        then: @escaping @MainActor @Sendable (CompletionHandler<Value>.Outcome) -> Void = { _ in }
    ) {
        let (name, process) = (handler.name, handler.process)
        let number = kernel.tasks.began("the completion handler of \(name) in \(process.bundle.bundleID)")
        handler.whenOver { [kernel] outcome in
            if case .overdue = outcome { handler.report(handler.overdueProblem) }
            then(outcome)
            if let grant = handler.grant { process.gate.take(grant) }
            kernel.changed(.lifeCycle(bundleID: process.bundle.bundleID))
            kernel.tasks.ended(number)
        }
    }

    // MARK: the end of a wake

    /// Records a woken app's answer in the trace, and terminates a background app that has not answered in time.
    ///
    /// See ``PhoneRule/wakeEndsInTermination``.
    ///
    /// - Parameters:
    ///   - entry: the trace entry of the event that woke the app.
    ///   - outcome: the outcome of the completion handler.
    ///   - process: the process that had to call the handler.
    ///   - method: the argument label of the app delegate's method that iOS called; used to find methods of the app with
    ///     almost this name.
    func wakeEnded(
        _ entry: TraceEntry, _ outcome: CompletionHandler<PushTrace.Wake.Answer>.Outcome, of process: AppProcess,
        method: String
    ) {
        let app = apps[process.bundle.bundleID]
        let isCurrent = app.map { life.process(of: $0) === process } ?? false
        if outcome.answer == .notImplemented, let app { life.noteNearMisses(of: app, for: method, in: entry) }
        var terminated: InstalledApp?
        if case .overdue = outcome, isCurrent, process.applicationState == .background,
            kernel.rules.keeps(.wakeEndsInTermination)
        {
            terminated = app
        }
        let now = kernel.now
        entry.update { trace in
            if terminated != nil { trace.notes.append("iOS terminated the app for it") }
            trace.wake?.answer = outcome.answer
            trace.wake?.answeredAt = now
            trace.isFinished = true
        }
        if let terminated { life.end(terminated) }
    }

    /// Calls the expiration handler of an app's background task, and terminates the app if the handler does not end the task.
    ///
    /// If the app is not in the background, this method only ends the task. A termination gets a trace entry.
    func backgroundTaskExpired(_ identifier: UIBackgroundTaskIdentifier, of process: AppProcess) {
        guard let task = process.backgroundTasks[identifier] else { return }
        guard process.applicationState == .background else {
            process.endBackgroundTask(identifier)
            return
        }
        kernel.tasks.begin("the expiration handler of a background task") { [self] in
            // By the turn of the call, the app may have ended the task, and then be suspended.
            await kernel.call(process, "expirationHandler", waitsForProcess: false) {
                if process.backgroundTasks[identifier] != nil { task.expirationHandler?() }
            }
            guard process.backgroundTasks[identifier] != nil, let app = apps[process.bundle.bundleID],
                life.process(of: app) === process
            else { return }
            let name = task.name.map { "the background task “\($0)”" } ?? "a background task"
            traces.begin(event: "beginBackgroundTask", of: process.bundle.bundleID).finish(
                note: "\(name) was not ended within \(kernel.rules.backgroundTaskSeconds) s: iOS terminated the app")
            life.end(app)
        }
    }
}

extension CompletionHandler<PushTrace.Wake.Answer>.Outcome {
    /// The answer that a trace entry records for this outcome of a completion handler.
    fileprivate var answer: PushTrace.Wake.Answer {
        switch self {
        case .called(let answer): answer
        case .overdue: .never
        case .processEnded: .ended
        }
    }
}
