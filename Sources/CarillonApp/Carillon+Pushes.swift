import CarillonCore
import CarillonMessaging
import Foundation
import UIKit

extension Carillon {
    /// Carries out a remote notification.
    ///
    /// To be called from `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, which iOS calls in the
    /// foreground, in the background, and when it launches the app for a push.
    ///
    /// - Parameters:
    ///   - userInfo: the payload.
    ///   - completionHandler: called exactly once, on the main thread, after the work is visible (a removed notification
    ///     is gone from the list, a new one is in it, receipts are sent if the service can be reached), at the latest
    ///     after 25 seconds; with `.newData` if anything changed, else `.failed` if something failed.
    public func handle(
        remoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let payload = Self.payload(userInfo)
        let progress = Progress()
        let finish = completions.open(
            "didReceiveRemoteNotification", late: { progress.hasNewData ? .newData : .failed },
            handler: completionHandler)
        tasks.start { [self] in
            await process(payload, progress)
            finish(progress.result)
        }
    }

    /// Carries out a remote notification for an app that has only the older callback without a completion handler.
    ///
    /// To be called from `application(_:didReceiveRemoteNotification:)`, which iOS calls in the foreground only.
    ///
    /// - Parameter userInfo: the payload.
    public func handle(remoteNotification userInfo: [AnyHashable: Any]) {
        handle(remoteNotification: userInfo, fetchCompletionHandler: { _ in })
    }

    /// What a callback of iOS has led to so far.
    @MainActor
    final class Progress {
        var hasNewData = false
        var hasFailed = false
        /// Whether the app's own code is to receive what has come.
        var isForApp = false
        /// What it is to receive from the list, oldest first.
        var unreported: [DeliveredNotification] = []

        var result: UIBackgroundFetchResult { hasNewData ? .newData : hasFailed ? .failed : .noData }
    }

    private func process(_ payload: [String: JSONValue], _ progress: Progress) async {
        let instructions = interpreter.instructions(for: payload)
        if let problem = instructions.problem { configuration.report(.pushNotUnderstood(reason: problem)) }
        store.takeOverFromExtension()
        networkMayBeBack()
        if store.contents.registration.isSignOutPending { await serviceQueue.run { [self] in await register() } }
        await notificationQueue.run { [self] in await carryOut(progress) { $0.pushed(instructions, $1) } }
        let serviceExchange = Task { [self] in
            await serviceQueue.run { [self] in await exchangeWithService(after: instructions) }
        }
        if progress.isForApp { await passToApp(push: payload, instructions, progress) }
        if await !serviceExchange.value { progress.hasFailed = true }
    }
}
