import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Background fetch, and the end of background transfers.
extension Phone {
    /// Gives the app a chance to fetch in the background, as Xcode's Simulate Background Fetch does.
    ///
    /// Apple does not say when iOS does, so this phone never does by itself.
    ///
    /// - Returns: the number of its entry in ``traces``, which says whether the app was called, and why not.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
    @discardableResult
    public func performBackgroundFetch(of bundleID: String) async throws(PhoneError) -> Int {
        try await call(bundleID, for: .fetch) { process, handler in
            let application = process.application
            application.delegate?.application(application) { handler(.init($0)) }
        }
    }

    /// Finishes the transfers of a background `URLSession`: the app is resumed, or launched, to take them.
    ///
    /// Differs from iOS: Foundation on Linux has no background sessions, so no transfer takes place. What the app finds
    /// is for the test to prepare; its session's delegate is not called.
    ///
    /// - Parameters:
    ///   - session: the identifier of the session's configuration.
    ///   - bundleID: the app.
    /// - Returns: the number of its entry in ``traces``.
    /// - Throws: ``PhoneError`` for an app that is not installed, or a phone that is off.
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
        try checkPoweredOn()
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
        noteProtectedFiles(number)
        await call(app, for: event, number, deliver)
        return number
    }

    private func call(
        _ app: InstalledApp, for event: BackgroundEvent, _ number: Int, _ deliver: @escaping Delivery
    ) async {
        let (process, grant) = await giveBackgroundTime(to: app)
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<PushTrace.Wake.Answer> = completionHandler(
            event.delegateMethod, of: process, grant: grant,
            heard: { phone in phone.update(number) { $0.wake?.answerCount += 1 } },
            report: { phone, problem in phone.note(problem.sentence, in: number) })
        follow(handler) { phone, outcome in
            let isMissing = method.isMissing(event.methodLabel)
            phone.wakeEnded(
                number, isMissing ? .called(.notImplemented) : outcome, of: process, method: event.methodLabel)
        }
        await call(process) { OptionalMethod.$call.withValue(method) { deliver(process, handler.call) } }
    }
}

extension BackgroundEvent {
    /// The label of the delegate's method.
    fileprivate var methodLabel: String {
        switch self {
        case .fetch: "performFetchWithCompletionHandler"
        case .transfers: "handleEventsForBackgroundURLSession"
        }
    }
}
