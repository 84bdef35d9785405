import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What happens to a push that has arrived.
extension Phone {
    /// Hands the phone a push, as the push service would.
    ///
    /// Returns once the app's callbacks have been called, or when there is nothing to call.
    ///
    /// - Returns: the number of its entry in ``pushLog``.
    @discardableResult
    public func receive(_ push: IncomingPush) async -> Int {
        let reached = PendingAnswer<Void>()
        let number = arrived(push, reached: reached)
        _ = await reached.wait()
        return number
    }

    @discardableResult
    func arrived(_ push: IncomingPush, reached: PendingAnswer<Void> = PendingAnswer()) -> Int {
        let now = clock.now
        let number = log.begin { number in
            var trace = PushTrace(number: number, origin: .push, arrivedAt: now, topic: push.topic)
            trace.pushType = push.pushType
            trace.apnsID = push.apnsID
            trace.collapseID = push.collapseID
            return trace
        }
        changed(.log(number))
        tasks.begin("push \(number) for \(push.topic)", on: self) { phone in
            await phone.handle(push, number, reached)
            reached.give(())
        }
        return number
    }

    private func handle(_ push: IncomingPush, _ number: Int, _ reached: PendingAnswer<Void>) async {
        guard let app = app(for: push, number) else { return }
        let content: PushContent
        do {
            content = try PushContent(push: push, strings: app.bundle.strings, rules: rules)
        } catch {
            finish(number, note: "dropped: the payload cannot be read: \(error)")
            return
        }
        update(number) { $0.notes += content.notes }
        let mayShow = push.pushType != .background || !rules.keeps(.backgroundPushShowsNothing)
        let isShown = mayShow && content.payload.aps.isVisible
        if !mayShow, content.payload.aps.isVisible {
            note("not shown: alert, badge and sound have no effect in a background push", in: number)
        }
        let isWake = content.payload.aps.contentAvailable
        if isWake, rules.wakesBeforePresenting { await wake(app, for: push, content, number) }
        if isShown { await show(push, content, of: app, number, reached) }
        if isWake, !rules.wakesBeforePresenting { await wake(app, for: push, content, number) }
        if isShown, !isWake { await tellForegroundApp(app, content, number, reached) }
        finish(number)
    }

    private func app(for push: IncomingPush, _ number: Int) -> InstalledApp? {
        guard isPoweredOn else {
            finish(number, note: "dropped: the phone is off")
            return nil
        }
        guard let app = apps[push.topic] else {
            finish(number, note: "dropped: no app \(push.topic) is installed on this phone")
            return nil
        }
        let isActivity = push.pushType == .liveactivity && !rules.keeps(.liveActivityIsNoNotification)
        guard push.pushType == .alert || push.pushType == .background || isActivity else {
            finish(number, note: "this phone shows nothing for push type \(push.pushType.rawValue)")
            return nil
        }
        return app
    }

    private func show(
        _ push: IncomingPush, _ pushed: PushContent, of app: InstalledApp, _ number: Int,
        _ reached: PendingAnswer<Void>
    ) async {
        let identifier = identifier(of: push)
        update(number) { $0.notificationID = identifier }
        var request = UNNotificationRequest(
            identifier: identifier, content: pushed.content, trigger: UNPushNotificationTrigger())
        switch await changedByExtension(request, pushed.payload, of: app, number) {
        case .show(let content):
            request = UNNotificationRequest(identifier: identifier, content: content, trigger: request.trigger)
        case .suppress:
            update(number) {
                $0.presentation = Presentation(why: ["suppressed by the service extension"])
            }
            return
        }
        guard apps[app.bundle.bundleID] === app else { return }
        await present(request, of: app, isRemote: true, number, reached)
    }

    private func identifier(of push: IncomingPush) -> String {
        if let collapseID = push.collapseID, rules.keeps(.identifierIsCollapseID) { return collapseID }
        if rules.identifierIsAPNsID { return push.apnsID.uuidString }
        return UUID(seededBy: &random).uuidString
    }

    /// Rules 19 and 21: in the foreground, an app without a center delegate hears of a plain alert by its app delegate.
    private func tellForegroundApp(
        _ app: InstalledApp, _ pushed: PushContent, _ number: Int, _ reached: PendingAnswer<Void>
    ) async {
        guard let process = app.process, app.runningState.isForeground,
            process.notificationCenter.delegate == nil || !rules.keeps(.centerDelegateBypasses)
        else { return }
        let handler = await callFetchHandler(process, pushed.content.userInfo, grant: nil, number)
        reached.give(())
        let outcome = await handler.outcome()
        if outcome.value == .notImplemented { return }
        note("the app is in the foreground and was told by its app delegate", in: number)
        if case .overdue = outcome { note(handler.overdueProblem.sentence, in: number) }
    }

    /// A local notification's time has come.
    func fire(_ request: UNNotificationRequest, of app: InstalledApp) {
        let now = clock.now
        let number = log.begin { number in
            var trace = PushTrace(number: number, origin: .local, arrivedAt: now, topic: app.bundle.bundleID)
            trace.notificationID = request.identifier
            return trace
        }
        // In the background it is in the list when `add` calls back; in the foreground the app decides first.
        guard app.runningState.isForeground else {
            let presentation = decide(request, of: app, .notInForeground)
            show(request, presentation, of: app, isRemote: false, number)
            finish(number)
            return
        }
        tasks.begin("local notification \(number) of \(app.bundle.bundleID)", on: self) { phone in
            await phone.present(request, of: app, isRemote: false, number, PendingAnswer())
            phone.finish(number)
        }
    }

}
