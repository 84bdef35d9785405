import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The methods that call an app in the background for a background fetch, or after background transfers have finished.
extension Background {
    typealias Delivery = @MainActor (AppProcess, @escaping @Sendable (PushTrace.Wake.Answer) -> Void) -> Void

    /// Calls the app's delegate in the background, unless a rule of iOS forbids it.
    ///
    /// - Parameters:
    ///   - app: the app.
    ///   - event: the reason for which the system calls the app.
    ///   - deliver: calls the app delegate's method for `event`.
    /// - Returns: the trace entry, which says whether the app was called and, if not, why.
    func call(_ app: InstalledApp, for event: BackgroundEvent, _ deliver: @escaping Delivery) async -> TraceEntry {
        let entry = traces.begin(event: event.name, of: app.bundle.bundleID)
        let input = BackgroundEventInput(
            state: life.runningState(of: app), hasFetchMode: app.bundle.backgroundModes.contains(.fetch),
            wantsToFetch: perApp[app].fetchIntervalSeconds != nil,
            isBackgroundRefreshOn: device.settings(of: app).isBackgroundRefreshOn,
            isLowPowerModeOn: device.settings.isLowPowerModeOn, isBatteryCritical: device.isBatteryCritical)
        if let refusal = event.refusal(input, rules: kernel.rules) {
            entry.update { $0.wake = .init(kind: .notWoken, why: refusal) }
            entry.finish()
            return entry
        }
        let wasRunning = life.process(of: app) != nil
        entry.update {
            $0.wake = .init(
                kind: wasRunning ? .called : .launched,
                why: "\(wasRunning ? "woken" : "launched") in the background for \(event.name)")
        }
        noteProtectedFiles(in: entry)
        await wake(app, for: event, entry, deliver)
        return entry
    }

    /// Adds a note to a trace entry if files with complete protection cannot be read, because the phone is locked.
    func noteProtectedFiles(in entry: TraceEntry) {
        if !device.isProtectedDataAvailable { entry.note("the phone is locked: protected files cannot be read") }
    }

    private func wake(
        _ app: InstalledApp, for event: BackgroundEvent, _ entry: TraceEntry, _ deliver: @escaping Delivery
    ) async {
        let (process, grant) = await giveBackgroundTime(to: app)
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<PushTrace.Wake.Answer> = completionHandler(
            event.delegateMethod, of: process, grant: grant, twice: event == .fetch ? .fetchHandlerTwice : nil,
            heard: { entry.update { $0.wake?.answerCount += 1 } }, report: { entry.note($0.sentence) })
        follow(handler) { [self] outcome in
            let isMissing = method.isMissing(event.methodLabel)
            wakeEnded(entry, isMissing ? .called(.notImplemented) : outcome, of: process, method: event.methodLabel)
        }
        await kernel.call(process, event.delegateMethod) {
            OptionalMethod.$call.withValue(method) { deliver(process, handler.call) }
        }
    }
}

extension BackgroundEvent {
    /// The argument label of the app delegate's method that iOS calls for this event.
    fileprivate var methodLabel: String {
        switch self {
        case .fetch: "performFetchWithCompletionHandler"
        case .transfers: "handleEventsForBackgroundURLSession"
        }
    }
}
