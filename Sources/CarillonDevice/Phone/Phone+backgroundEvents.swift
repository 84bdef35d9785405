import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Background fetch, and the end of background transfers.
extension Phone {
    /// Gives the app a chance to fetch in the background, as Xcode's Simulate Background Fetch does. When iOS does is its
    /// own secret, so this phone never does by itself.
    ///
    /// - Returns: the number of its entry in ``traces``, which says whether the app was called, and why not.
    @discardableResult
    public func performBackgroundFetch(of bundleID: String) async throws(PhoneError) -> Int {
        try await call(bundleID, for: .fetch) { process, handler in
            let application = process.application
            application.delegate?.application(application) { handler(.init($0)) }
        }
    }

    /// Transfers that the app left to a background `URLSession` are over: it is woken, or launched, to take them.
    ///
    /// Differs from iOS: Foundation on Linux has no background sessions, so no transfer takes place. What the app finds is
    /// for the test to prepare; its session's delegate is not called.
    ///
    /// - Parameter session: the identifier of the session's configuration.
    /// - Returns: the number of its entry in ``traces``.
    @discardableResult
    public func finishBackgroundTransfers(
        ofSession session: String, in bundleID: String
    ) async throws(PhoneError) -> Int {
        try await call(bundleID, for: .transfers(session: session)) { process, handler in
            let application = process.application
            application.delegate?.application(application, handleEventsForBackgroundURLSession: session) {
                handler(.handled)
            }
        }
    }

    private typealias Delivery =
        @MainActor (AppProcess, @escaping @Sendable (PushTrace.Wake.Answer) -> Void) -> Void

    private func call(
        _ bundleID: String, for event: BackgroundEvent, _ deliver: @escaping Delivery
    ) async throws(PhoneError) -> Int {
        let app = try installed(bundleID)
        guard isPoweredOn else { throw PhoneError(.phoneOff, "\(name) is off. Call boot() first.") }
        let number = beginEvent(event.name, of: bundleID)
        let input = BackgroundEventInput(
            state: app.runningState, hasFetchMode: app.bundle.backgroundModes.contains(.fetch),
            wantsToFetch: app.fetchIntervalSeconds < UIApplication.backgroundFetchIntervalNever,
            isBackgroundRefreshOn: app.isBackgroundRefreshOn, isLowPowerModeOn: isLowPowerModeOn)
        if let refusal = event.refusal(input, rules: rules) {
            update(number) { $0.wake = .init(kind: .notWoken, why: refusal) }
            finish(number)
            return number
        }
        let wasRunning = app.process != nil
        update(number) {
            $0.wake = .init(
                kind: wasRunning ? .called : .launched,
                why: "\(wasRunning ? "woken" : "launched") in the background for \(event.name)")
        }
        if !isProtectedDataAvailable {
            update(number) { $0.notes.append("the phone is locked: protected files cannot be read (rule 38)") }
        }
        await wake(app, for: event, number, deliver)
        return number
    }

    private func wake(
        _ app: InstalledApp, for event: BackgroundEvent, _ number: Int, _ deliver: @escaping Delivery
    ) async {
        let (process, grant) = await runningInBackground(app)
        let method = OptionalMethod.Call()
        let handler: @Sendable (PushTrace.Wake.Answer) -> Void = watchedHandler(
            event.owner, of: process, seconds: rules.backgroundWakeSeconds, grant: grant,
            heard: { phone, problem in
                phone.update(number) { trace in
                    if let problem { trace.notes.append(problem) }
                    if trace.wake?.answer != .never { trace.wake?.answerCount += 1 }
                }
            },
            then: { phone, answer in
                let isMissing = method.isMissing(event.methodName)
                phone.answered(number, isMissing ? .notImplemented : answer, by: process, event)
            })
        await call(process) { OptionalMethod.$call.withValue(method) { deliver(process, handler) } }
    }

    /// Rule 16 holds for these as well: who does not answer in time is terminated.
    private func answered(
        _ number: Int, _ answer: PushTrace.Wake.Answer?, by process: AppProcess, _ event: BackgroundEvent
    ) {
        let now = clock.now
        let isOverdue = answer == nil && process.gate.phase != .ended
        update(number) { trace in
            trace.wake?.answer = answer ?? (isOverdue ? .never : .ended)
            trace.wake?.answeredAt = now
            trace.isFinished = true
        }
        guard let app = apps[process.bundle.bundleID], app.process === process else { return }
        if answer == .notImplemented { noteNearMisses(of: app, for: event.methodName, number) }
        guard isOverdue, process.applicationState == .background, rules.keeps(.wakeEndsInTermination) else { return }
        update(number) { $0.notes.append("the app was terminated for it (rule 16)") }
        end(app)
    }

    /// The app's process, resumed or launched in the background, with a reason to run.
    private func runningInBackground(_ app: InstalledApp) async -> (AppProcess, ProcessGate.Grant) {
        let process: AppProcess
        let grant: ProcessGate.Grant
        if let running = app.process {
            process = running
            grant = running.gate.grant()
            resumed(running)
        } else {
            var taken: ProcessGate.Grant?
            process = await launch(app, options: nil, isInFront: false) { taken = $0.gate.grant() }
            grant = taken ?? process.gate.grant()
        }
        process.backgroundDeadline = clock.now + .seconds(rules.backgroundWakeSeconds)
        return (process, grant)
    }
}

extension BackgroundEvent {
    /// The label of the delegate's method.
    fileprivate var methodName: String {
        switch self {
        case .fetch: "performFetchWithCompletionHandler"
        case .transfers: "handleEventsForBackgroundURLSession"
        }
    }
}
