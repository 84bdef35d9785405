import CarillonCore
import Foundation
@_spi(Simulation) import PushKit
import Synchronization
import UIKit
@_spi(Simulation) import UserNotifications

/// Handles VoIP pushes, which bypass the notification center and go to the app; the app must report a call.
@MainActor struct CallPushes {
    let kernel: PhoneKernel
    let life: AppLife
    let background: Background
    let telephony: Telephony

    /// Passes a VoIP push to its app, and launches the app if necessary, even after a force-quit.
    ///
    /// "On iOS 13.0 and later, if you fail to report a call to CallKit, the system will terminate your app":
    /// [pushRegistry(_:didReceiveIncomingPushWith:for:completion:)](https://developer.apple.com/documentation/pushkit/pkpushregistrydelegate/pushregistry(_:didreceiveincomingpushwith:for:completion:)).
    func receive(_ push: PushUnderWay) async {
        let (app, entry) = (push.app, push.entry)
        if let refusal = refusalOfCall(app) {
            entry.update { $0.wake = .init(kind: .notWoken, why: refusal) }
            return entry.finish()
        }
        let isLaunch = life.process(of: app) == nil
        entry.update {
            $0.wake = .init(
                kind: isLaunch ? .launched : .called,
                why: isLaunch ? "launched in the background for a call" : "called for a call")
        }
        let (process, grant) = await background.giveBackgroundTime(to: app)
        let handler: CompletionHandler<Void> = background.completionHandler(
            "didReceiveIncomingPushWith", of: process, grant: grant,
            heard: { entry.update { $0.wake?.answerCount += 1 } }, report: { entry.note($0.sentence) })
        let duty = ReportDuty(
            of: process, isDue: process.applicationState == .background && telephony.current.isEmpty)
        background.follow(handler) { conclude($0, of: process, push, duty) }
        await hand(push, to: process, duty, handler)
    }

    /// Passes the push to the method of iOS 26.4 for VoIP pushes, or to the older method if the app's delegate has only that.
    ///
    /// The metadata of a push says "no report" while the app is in the foreground or a call lasts. Apps without that method must always
    /// report.
    private func hand(
        _ push: PushUnderWay, to process: AppProcess, _ duty: ReportDuty, _ handler: CompletionHandler<Void>
    ) async {
        let entry = push.entry
        let payload = UncheckedUserInfo(push.content.content.userInfo)
        await kernel.call(process, "didReceiveIncomingVoIPPushWith") { [mailbox = kernel.mailbox] in
            guard let registry = process.callRegistry else {
                entry.note("lost: the app has no PKPushRegistry with voIP among its desiredPushTypes")
                duty.begin()
                return handler.call(())
            }
            let metadata = PKVoIPPushMetadata(mustReport: duty.isDue) {
                mailbox.post { handToOlderMethod(push, payload, of: process, duty, handler) }
            }
            let incoming = PKPushPayload(type: .voIP, dictionaryPayload: payload.value)
            registry.callDelegate { delegate, registry in
                delegate.pushRegistry(registry, didReceiveIncomingVoIPPushWith: incoming, metadata: metadata) {
                    handler.call(())
                }
            } missing: {
                Self.noteMissingDelegate(push, handler)
            }
        }
    }

    /// Passes the push to the method that apps have had since iOS 11, and ends a background app whose method returns before it has
    /// reported a call.
    ///
    /// iOS demands the report in the run loop of the callback ([its error
    /// message](https://github.com/QuickBlox/quickblox-ios-sdk/issues/1188)), so an [async delegate method comes too
    /// late](https://github.com/wireapp/wire-ios/pull/3060).
    private func handToOlderMethod(
        _ push: PushUnderWay, _ payload: UncheckedUserInfo, of process: AppProcess, _ duty: ReportDuty,
        _ handler: CompletionHandler<Void>
    ) {
        guard process.gate.phase != .ended, let registry = process.callRegistry else { return handler.call(()) }
        duty.begin()
        let endsAtOnce =
            kernel.rules.callsMustBeReportedAtOnce && kernel.rules.keeps(.unreportedCallEndsInTermination)
            && process.applicationState == .background
        let incoming = PKPushPayload(type: .voIP, dictionaryPayload: payload.value)
        ProcessScheduler.shared.run(as: process, "didReceiveIncomingPushWith") { [mailbox = kernel.mailbox] in
            registry.callDelegate { delegate, registry in
                delegate.pushRegistry(
                    registry, didReceiveIncomingPushWith: incoming, for: .voIP, completion: { handler.call(()) })
                guard endsAtOnce, !duty.isFulfilled else { return }
                mailbox.post { end(process, push, before: "returned from didReceiveIncomingPushWith") }
            } missing: {
                Self.noteMissingDelegate(push, handler)
            }
        }
    }

    private static func noteMissingDelegate(_ push: PushUnderWay, _ handler: CompletionHandler<Void>) {
        let id = push.app.bundle.bundleID
        push.entry.note("lost: the PKPushRegistry of \(id) has no delegate, which it holds weakly")
        handler.call(())
    }

    private func refusalOfCall(_ app: InstalledApp) -> String? {
        guard app.bundle.backgroundModes.contains(.voip) else {
            return "not called: the app does not declare the background mode voip"
        }
        guard let limit = kernel.rules.unreportedCallsUntilPushesStop, telephony.unreportedCalls(of: app) >= limit
        else {
            return nil
        }
        let count = telephony.unreportedCalls(of: app)
        return "not called: the app has not reported \(count) calls, so iOS has stopped its VoIP pushes"
    }

    private func conclude(
        _ outcome: CompletionHandler<Void>.Outcome, of process: AppProcess, _ push: PushUnderWay, _ duty: ReportDuty
    ) {
        let now = kernel.now
        let isUnreported = duty.isDue && !duty.isFulfilled && kernel.rules.keeps(.unreportedCallEndsInTermination)
        var answer = PushTrace.Wake.Answer.handled
        if case .overdue = outcome { answer = .never }
        if case .processEnded = outcome { answer = .ended }
        push.entry.update { trace in
            trace.wake?.answer = answer
            trace.wake?.answeredAt = now
            trace.isFinished = true
        }
        guard isUnreported, answer != .ended else { return }
        end(process, push, before: answer == .never ? "ran out of time" : "called the completion handler")
    }

    /// Ends a process that has not reported a call in time, and notes this in the trace; does nothing if the process has ended.
    ///
    /// `event` completes the note "it has not reported a call to CallKit before it …", for example with "ran out of time".
    private func end(_ process: AppProcess, _ push: PushUnderWay, before event: String) {
        guard life.process(of: push.app) === process else { return }
        telephony.hasNotReported(push.app)
        push.entry.note(
            "iOS terminated the app: it has not reported a call to CallKit (reportNewIncomingCall) before it \(event)")
        life.end(push.app)
    }
}

/// An app's duty to report a call because of one VoIP push.
private final class ReportDuty: Sendable {
    private let process: AppProcess
    private let reportedBefore: Int
    private let due: Atomic<Bool>

    init(of process: AppProcess, isDue: Bool) {
        self.process = process
        reportedBefore = process.reportedCalls.load(ordering: .relaxed)
        due = Atomic(isDue)
    }

    var isDue: Bool { due.load(ordering: .relaxed) }
    var isFulfilled: Bool { process.reportedCalls.load(ordering: .relaxed) > reportedBefore }

    func begin() { due.store(true, ordering: .relaxed) }
}
