import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What happens to pushes, from their arrival until everything about them is answered.
@MainActor final class Pushes {
    let kernel: PhoneKernel
    let device: DeviceState
    let apps: InstalledApps
    let life: AppLife
    private let traces: Traces
    private let notifications: Notifications
    /// When held pushes are looked at again; `nil` while none waits for that.
    var budgetTimer: ScheduledAction?

    /// - Parameter notifications: where what there is to see is shown.
    init(notifications: Notifications) {
        kernel = notifications.kernel
        device = notifications.device
        apps = notifications.apps
        life = notifications.life
        traces = notifications.traces
        self.notifications = notifications
    }

    /// A push has come to the phone.
    ///
    /// - Parameters:
    ///   - push: as APNs handed it over.
    ///   - reached: answered once the app's callbacks have been called, or when there is nothing to call.
    /// - Returns: its entry among the traces.
    @discardableResult
    func arrived(_ push: IncomingPush, reached: PendingAnswer<Void> = PendingAnswer()) -> TraceEntry {
        let entry = traces.begin(.push, of: push.topic) { trace in
            trace.pushType = push.pushType
            trace.apnsID = push.apnsID
            trace.collapseID = push.collapseID
        }
        PhoneCause.$current.withValue(kernel.history.note(.push(entry.number))) {
            kernel.tasks.begin("push \(entry.number) for \(push.topic)") { [self] in
                if let push = opened(push, entry, reached) { await handle(push) }
                reached.give(())
            }
        }
        return entry
    }

    /// The push with its app and its content; `nil` for one that is dropped, which its entry says.
    private func opened(_ push: IncomingPush, _ entry: TraceEntry, _ reached: PendingAnswer<Void>) -> PushUnderWay? {
        guard let app = app(for: push, entry) else { return nil }
        do {
            let content = try PushContent(
                push: push, strings: app.place.strings(device.settings.locale), rules: kernel.rules)
            entry.update { $0.notes += content.notes }
            return PushUnderWay(push: push, content: content, app: app, entry: entry, reached: reached)
        } catch {
            entry.finish(note: "dropped: the payload cannot be read: \(error)")
            return nil
        }
    }

    private func app(for push: IncomingPush, _ entry: TraceEntry) -> InstalledApp? {
        guard device.isPoweredOn else {
            entry.finish(note: "dropped: the phone is off")
            return nil
        }
        let suffix = push.pushType.topicSuffix
        let bundleID =
            push.pushType == .voip && push.topic.hasSuffix(suffix) ? push.topic.dropLast(suffix.count) : push.topic[...]
        guard let app = apps[String(bundleID)] else {
            entry.finish(note: "dropped: no app \(push.topic) is installed on this phone")
            return nil
        }
        let isActivity = push.pushType == .liveactivity && !kernel.rules.keeps(.liveActivityIsNoNotification)
        guard [.alert, .background, .voip].contains(push.pushType) || isActivity else {
            entry.finish(note: "this phone shows nothing for push type \(push.pushType.rawValue)")
            return nil
        }
        return app
    }

    private func handle(_ push: PushUnderWay) async {
        guard push.push.pushType != .voip else { return await receiveCall(push) }
        let (isShown, note) = push.visibility(kernel.rules)
        if let note { push.entry.note(note) }
        let wakesFirst = kernel.rules.wakesBeforePresenting
        if push.isWake, wakesFirst { await wake(push) }
        if isShown { await show(push) }
        if push.isWake, !wakesFirst { await wake(push) }
        if isShown, !push.isWake { await tellForegroundApp(push) }
        push.entry.finish()
    }

    private func show(_ push: PushUnderWay) async {
        let identifier = push.notificationID(kernel.rules, random: kernel.randomUUID)
        push.entry.update { $0.notificationID = identifier }
        let request = UNNotificationRequest(
            identifier: identifier, content: push.content.content, trigger: UNPushNotificationTrigger())
        switch await changedByExtension(request, of: push) {
        case .show(let content):
            guard apps.has(push.app) else { return }
            await notifications.present(
                NotificationUnderWay(
                    request: UNNotificationRequest(
                        identifier: identifier, content: notifications.stored(content, of: push),
                        trigger: request.trigger),
                    app: push.app, isRemote: true, entry: push.entry, reached: push.reached))
        case .suppress:
            push.entry.update { $0.presentation = Presentation(why: ["suppressed by the service extension"]) }
        }
    }

    /// Rules 19 and 21: in the foreground, an app without a center delegate hears of a plain alert by its app delegate.
    private func tellForegroundApp(_ push: PushUnderWay) async {
        guard let process = push.app.process, push.app.runningState.isForeground,
            process.notificationCenter.delegate == nil || !kernel.rules.keeps(.centerDelegateBypasses)
        else { return }
        let handler = await callFetchHandler(process, for: push, grant: nil)
        push.reached.give(())
        let outcome = await handler.outcome()
        if outcome.value == .notImplemented { return }
        push.entry.note("the app is in the foreground and was told by its app delegate")
        if case .overdue = outcome { push.entry.note(handler.overdueProblem.sentence) }
    }

    func settings(of app: InstalledApp) -> UNNotificationSettings.Values {
        notifications.settingValues(of: app.bundle.bundleID)
    }

    func shutDown() { budgetTimer?.cancel() }
}
