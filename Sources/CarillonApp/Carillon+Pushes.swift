import CarillonCore
import Foundation
import UIKit

extension Carillon {
    /// Carries out a push. To be called from
    /// `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, which iOS calls in the foreground, in
    /// the background, and after a launch for the push's sake.
    ///
    /// - Parameter completionHandler: called exactly once, on the main thread, after the work is visible (a removed
    ///   notification is gone from the list, a made one is in it, receipts are sent if the service can be reached),
    ///   at the latest after 25 seconds; with `.newData` if anything changed, `.failed` if something went wrong.
    public func handle(
        remoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        let payload = Self.payload(userInfo)
        let progress = Progress()
        let finish = completions.open(
            "didReceiveRemoteNotification", late: { progress.hasNews ? .newData : .failed }, handler: completionHandler)
        tasks.start { [self] in
            await process(payload, progress)
            finish(progress.result)
        }
    }

    /// The same for an app that still has only
    /// `application(_:didReceiveRemoteNotification:)`, which iOS calls in the foreground only.
    public func handle(remoteNotification userInfo: [AnyHashable: Any]) {
        handle(remoteNotification: userInfo, fetchCompletionHandler: { _ in })
    }

    /// What a push has led to so far.
    @MainActor
    final class Progress {
        var hasNews = false
        var hasFailed = false

        var result: UIBackgroundFetchResult { hasNews ? .newData : hasFailed ? .failed : .noData }
    }

    private func process(_ payload: [String: JSONValue], _ progress: Progress) async {
        let instructions = interpreter.instructions(for: payload)
        if let problem = instructions.problem { configuration.report(.pushNotUnderstood(reason: problem)) }
        networkMayBeBack()
        if store.contents.registration.isSignOutPending { await serviceLane.run { [self] in await register() } }
        let isForApp = await screenLane.run { [self] in await carryOut(instructions, progress) }
        let conversation = Task { [self] in await serviceLane.run { [self] in await converse(instructions) } }
        if isForApp { await tellApp(ofPush: payload, instructions, progress) }
        if await !conversation.value { progress.hasFailed = true }
    }

    /// Everything that a push changes on the screen.
    ///
    /// - Returns: whether the app's own code is to hear of the push.
    private func carryOut(_ instructions: PushInstructions, _ progress: Progress) async -> Bool {
        if await !remove(instructions.removals) { progress.hasFailed = true }
        if !instructions.removals.isEmpty { progress.hasNews = true }
        var isForApp = instructions.dialect == .foreign
        if let message = instructions.message {
            isForApp = await arrive(message, composedAt: instructions.composedAt, progress)
        }
        if let badge = instructions.badge { await setBadge(badge, saidAt: instructions.composedAt) }
        await removeUnwelcome()
        return isForApp
    }

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
            progress.hasNews = true
            guard await show(notification, for: message) else {
                progress.hasFailed = true
                return false
            }
            return true
        case .showUnlessThere(let notification):
            let isThere = await screen.shown().contains { $0.identifier == identifier }
            if isThere {
                await noteIfShown(message)
            } else if await !show(notification, for: message) {
                progress.hasFailed = true
            }
            return true
        case .shownBySystem:
            progress.hasNews = true
            await noteIfShown(message)
            return true
        case .handOver: return true
        case .repeated: return false
        case .veto(let veto):
            await takeAway(message, veto)
            return false
        }
    }

    /// - Returns: whether it is on the screen, or has rightly been taken from it.
    private func show(_ notification: LocalNotification, for message: PushMessage) async -> Bool {
        let identifier = notification.identifier
        do {
            try await screen.add(notification)
        } catch {
            store.update { $0.policy.couldNotBeShown(identifier) }
            configuration.report(.notificationFailed(identifier: identifier, reason: "\(error)"))
            return false
        }
        // The service extension may have buried it meanwhile, and its time may have run out.
        guard store.contents.policy.mayBeSeen(message, at: clock.now) else {
            return await screen.remove([identifier]).isEmpty
        }
        await noteIfShown(message)
        return true
    }

    /// Claims `shown` if the notification is in the list, and so was let through by the person's settings.
    private func noteIfShown(_ message: PushMessage) async {
        guard let shown = await screen.shown().first(where: { $0.identifier == message.identifier }) else { return }
        store.update { [now = clock.now] in
            $0.policy.wasShown(message.identifier, attempt: message.attempt, delivered: shown.delivered, at: now)
        }
    }

    private func takeAway(_ message: PushMessage, _ veto: MessagePolicy.Veto) async {
        let remaining = await screen.remove([message.identifier])
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
