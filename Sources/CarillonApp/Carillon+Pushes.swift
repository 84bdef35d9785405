import CarillonCore
import CarillonExtension
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

    /// What a remote notification has led to so far.
    @MainActor
    final class Progress {
        var hasNewData = false
        var hasFailed = false

        var result: UIBackgroundFetchResult { hasNewData ? .newData : hasFailed ? .failed : .noData }
    }

    private func process(_ payload: [String: JSONValue], _ progress: Progress) async {
        let instructions = interpreter.instructions(for: payload)
        if let problem = instructions.problem { configuration.report(.pushNotUnderstood(reason: problem)) }
        store.takeOverFromExtension()
        networkMayBeBack()
        if store.contents.registration.isSignOutPending { await serviceQueue.run { [self] in await register() } }
        let isForApp = await notificationQueue.run { [self] in await carryOut(instructions, progress) }
        let serviceExchange = Task { [self] in
            await serviceQueue.run { [self] in await exchangeWithService(after: instructions) }
        }
        if isForApp { await passToApp(push: payload, instructions, progress) }
        if await !serviceExchange.value { progress.hasFailed = true }
    }

    /// Everything that a push changes in the list of notifications.
    ///
    /// - Returns: whether the app's own code is to receive the push.
    private func carryOut(_ instructions: PushInstructions, _ progress: Progress) async -> Bool {
        if await !remove(instructions.removals) { progress.hasFailed = true }
        if !instructions.removals.isEmpty { progress.hasNewData = true }
        var isForApp = instructions.dialect == .foreign
        if let message = instructions.message, !isRemovable(message) {
            isForApp = await arrive(message, composedAt: instructions.composedAt, progress)
        }
        if let badge = instructions.badge { await setBadge(badge, composedAt: instructions.composedAt) }
        await removeRecalledAndExpired()
        return isForApp
    }

    /// - Returns: whether the app's own code is to receive the message.
    private func arrive(_ message: PushMessage, composedAt: Timestamp?, _ progress: Progress) async -> Bool {
        let identifier = message.identifier
        let now = clock.now
        let arrival = store.update { contents in
            let signedOut = contents.registration.isSignOutPending
            let arrival = contents.policy.arrived(message, composedAt: composedAt, signedOut: signedOut, at: now)
            contents.policy.wasReceived(identifier, at: now)
            return arrival
        }
        switch arrival {
        case .show(let notification):
            progress.hasNewData = true
            guard await show(notification, for: message) else {
                progress.hasFailed = true
                return false
            }
            return true
        case .showUnlessThere(let notification):
            let isInList = await notificationCenter.delivered(identifier) != nil
            if isInList {
                await claimShownIfDelivered(message)
            } else if await !show(notification, for: message) {
                progress.hasFailed = true
            }
            return true
        case .shownBySystem:
            progress.hasNewData = true
            await claimShownIfDelivered(message)
            return true
        case .handOver: return true
        case .repeated: return false
        case .veto(let veto):
            await removeVetoed(message, veto)
            return false
        }
    }

    /// - Returns: whether the notification is in the list, or was rightly removed from it.
    private func show(_ notification: LocalNotification, for message: PushMessage) async -> Bool {
        let identifier = notification.identifier
        // A crash from here on must not lead to a second alert.
        store.save()
        do {
            try await notificationCenter.add(notification)
        } catch {
            store.update { $0.policy.couldNotBeShown(identifier) }
            configuration.report(.notificationFailed(identifier: identifier, reason: "\(error)"))
            return false
        }
        // The service extension may have set a tombstone meanwhile, and the message may have expired.
        store.takeOverFromExtension()
        guard store.contents.policy.mayBeSeen(message, at: clock.now) else {
            return await notificationCenter.remove([identifier]).isEmpty
        }
        await claimShownIfDelivered(message)
        return true
    }

    /// Writes a `shown` receipt if the notification is in the list, so that the person's settings have let it through.
    private func claimShownIfDelivered(_ message: PushMessage) async {
        let identifier = message.identifier
        guard let delivered = await notificationCenter.delivered(identifier) else { return }
        store.update { [now = clock.now] in
            $0.policy.wasShown(identifier, attempt: message.attempt, delivered: delivered.alertedAt, at: now)
        }
    }

    private func removeVetoed(_ message: PushMessage, _ veto: MessagePolicy.Veto) async {
        let remaining = await notificationCenter.remove([message.identifier])
        guard remaining.isEmpty else { return }
        store.update { [now = clock.now] contents in
            switch veto {
            case .expired: contents.policy.hasExpired(message.identifier, .arrivedLate, at: now)
            case .recalled: contents.policy.wasVetoed(message, at: now)
            case .signedOut: break
            }
        }
    }
}
