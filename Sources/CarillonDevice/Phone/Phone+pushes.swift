import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What happens to a push that has arrived.
extension Phone {
    /// Hands the phone a push, as the push service would. Returns once the app's callbacks have been called, or when
    /// there is nothing to call.
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
        work.begin("push \(number) for \(push.topic)", on: self) { phone in
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
            update(number) {
                $0.notes.append("not shown: alert, badge and sound do not belong in a background push (rule 18)")
            }
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
            finish(number, note: "arrived; this phone shows nothing for push type \(push.pushType.rawValue)")
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
                $0.presentation = Presentation(why: ["suppressed by the service extension (rule 31)"])
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
        let answer = await callFetchHandler(process, pushed.content.userInfo, grant: nil, number: number)
        reached.give(())
        let timer = schedule(afterSeconds: rules.backgroundWakeSeconds) { _ in answer.close() }
        let outcome = await answer.wait()
        timer.cancel()
        process.answers[number] = nil
        if outcome == .notImplemented { return }
        update(number) { trace in
            trace.notes.append("the foreground app was told through its app delegate (rule 19)")
            guard outcome == nil, process.gate.phase != .ended else { return }
            trace.notes.append(
                "the app did not call its completion handler within \(self.rules.backgroundWakeSeconds) s (rule 16)")
        }
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
        work.begin("local notification \(number) of \(app.bundle.bundleID)", on: self) { phone in
            await phone.present(request, of: app, isRemote: false, number, PendingAnswer())
            phone.finish(number)
        }
    }

    func update(_ number: Int, _ edit: (inout PushTrace) -> Void) {
        log.update(number, edit)
        changed(.log(number))
    }

    func finish(_ number: Int, note: String? = nil) {
        update(number) { trace in
            if let note { trace.notes.append(note) }
            trace.isFinished = trace.wake.map { $0.kind != .held && ($0.answer != nil || $0.kind == .notWoken) } ?? true
        }
    }
}

extension UUID {
    /// A random UUID (version 4) from a generator whose future is known.
    init(seededBy generator: inout SeededGenerator) {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
