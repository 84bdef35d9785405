import CarillonCore
import Foundation
@_spi(Simulation) import PushKit
import Synchronization
import UIKit
@_spi(Simulation) import UserNotifications

/// Handles VoIP pushes, which bypass the notification center and go to the app; the app must report a call.
extension Pushes {
    /// Passes a VoIP push to its app, and launches the app if necessary, even after a force-quit.
    ///
    /// "On iOS 13.0 and later, if you fail to report a call to CallKit, the system will terminate your app":
    /// [pushRegistry(_:didReceiveIncomingPushWith:for:completion:)](https://developer.apple.com/documentation/pushkit/pkpushregistrydelegate/pushregistry(_:didreceiveincomingpushwith:for:completion:)).
    func receiveCall(_ push: PushUnderWay) async {
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
        let reportedBefore = process.reportedCalls.load(ordering: .relaxed)
        background.follow(handler) { [self] outcome in
            let isReported = process.reportedCalls.load(ordering: .relaxed) > reportedBefore
            conclude(outcome, of: process, push, hasReported: isReported)
        }
        await hand(push, to: process, handler)
    }

    /// Passes the push to the app's `PKPushRegistry`, and ends a background app whose delegate returns before reporting a call.
    ///
    /// iOS demands the report in the run loop of the callback ([its error
    /// message](https://github.com/QuickBlox/quickblox-ios-sdk/issues/1188)), so an [async delegate method comes too
    /// late](https://github.com/wireapp/wire-ios/pull/3060).
    private func hand(_ push: PushUnderWay, to process: AppProcess, _ handler: CompletionHandler<Void>) async {
        let rules = kernel.rules
        let mustReport =
            rules.callsMustBeReportedAtOnce && rules.keeps(.unreportedCallEndsInTermination)
            && process.applicationState == .background
        let reportedBefore = process.reportedCalls.load(ordering: .relaxed)
        let (entry, bundleID) = (push.entry, push.app.bundle.bundleID)
        let payload = UncheckedUserInfo(push.content.content.userInfo)
        await kernel.call(process, "didReceiveIncomingPushWith") { [mailbox = kernel.mailbox] in
            guard let registry = process.callRegistry else {
                entry.note("lost: the app has no PKPushRegistry with voIP among its desiredPushTypes")
                return handler.call(())
            }
            let incoming = PKPushPayload(type: .voIP, dictionaryPayload: payload.value)
            registry.callDelegate { delegate, registry in
                delegate.pushRegistry(
                    registry, didReceiveIncomingPushWith: incoming, for: .voIP, completion: { handler.call(()) })
                guard mustReport, process.reportedCalls.load(ordering: .relaxed) == reportedBefore else { return }
                mailbox.post { self.end(process, push, before: "returned from didReceiveIncomingPushWith") }
            } missing: {
                entry.note("lost: the PKPushRegistry of \(bundleID) has no delegate, which it holds weakly")
                handler.call(())
            }
        }
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
        _ outcome: CompletionHandler<Void>.Outcome, of process: AppProcess, _ push: PushUnderWay, hasReported: Bool
    ) {
        let now = kernel.now
        let isUnreported = !hasReported && kernel.rules.keeps(.unreportedCallEndsInTermination)
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
