import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The handling of pushes, from arrival until the app has called every completion handler.
@MainActor final class Pushes: PartWithApps {
    /// The state that limits the silent pushes of an app.
    struct AppState {
        var budget = BackgroundBudget()
        /// The silent push that the phone holds back until the app may be woken, with its trace entry.
        var held: HeldPush?
    }

    struct HeldPush {
        let push: IncomingPush
        let entry: TraceEntry
    }

    let kernel: PhoneKernel
    let device: DeviceState
    let apps: InstalledApps
    let life: AppLife
    let background: Background
    private let notifications: Notifications
    private let calls: CallPushes
    /// The parts that handle other pushes.
    let receivers: [any PushReceiver]
    var perApp = PerApp(AppState())
    /// The timer after which the phone tries again to deliver the pushes that it holds back; `nil` if no push waits for it.
    var budgetTimer: ScheduledAction?

    /// Makes the part of a phone that handles pushes.
    ///
    /// - Parameters:
    ///   - notifications: the part of the phone that shows visible pushes.
    ///   - telephony: the part of the phone that handles the calls of VoIP pushes.
    ///   - activities: the part of the phone that handles Live Activities.
    ///   - widgets: the part of the phone that handles widgets and controls.
    init(notifications: Notifications, telephony: Telephony, activities: LiveActivities, _ widgets: PhoneWidgets) {
        kernel = notifications.kernel
        device = notifications.device
        apps = notifications.apps
        life = notifications.life
        background = notifications.background
        self.notifications = notifications
        calls = CallPushes(kernel: kernel, life: life, background: background, telephony: telephony)
        receivers = [ActivityPushes(activities: activities)] + widgets.receivers
    }

    func installed(_ app: InstalledApp, updating old: InstalledApp?) { perApp.install(app, updating: old) { _, _ in } }

    func deleted(_ app: InstalledApp) { perApp.remove(app) }

    /// Handles a push that has arrived at the phone.
    ///
    /// Handling begins immediately, unless an app's code is running or earlier calls wait. It uses a Swift task only if a part of
    /// it is asynchronous.
    ///
    /// - Parameters:
    ///   - push: the push as APNs has delivered it.
    ///   - reached: completed after the phone has called the app's callbacks, or as soon as it is clear that no call follows.
    ///   - refusal: a reason to drop the push, which the phone notes in the trace; the default is `nil`. A test gives a reason
    ///     if APNs could not have delivered the push, for example because the app has no device token.
    /// - Returns: the trace entry.
    @discardableResult
    func arrived(
        _ push: IncomingPush, reached: PendingAnswer<Void> = PendingAnswer(), refusal: String? = nil
    ) -> TraceEntry {
        let entry = life.traces.begin(.push, of: push.topic) { trace in
            trace.pushType = push.pushType
            trace.apnsID = push.apnsID
            trace.collapseID = push.collapseID
        }
        if let refusal {
            reached.give(())
            entry.finish(note: refusal)
            return entry
        }
        PhoneCause.$current.withValue(kernel.history.note(.push(entry.number))) {
            let task = kernel.tasks.began("push \(entry.number) for \(push.topic)")
            let handle: Then = { [self] in
                if let push = opened(push, entry, task, reached) { return self.handle(push) }
                reached.give(())
                kernel.tasks.ended(task)
            }
            // Handles the push immediately, except in two cases: an app's code is running, so that the handler would run as
            // that app, or posted calls wait, which go first.
            guard SimulatedDevices.taskLocal == nil, kernel.mailbox.isEmpty else {
                return kernel.tasks.goOnLater(task, handle)
            }
            handle()
        }
        return entry
    }

    /// Finds the app that a push is for, and reads the push's content.
    ///
    /// If the phone drops the push, this method notes the reason in `entry` and returns `nil`. A push for a
    /// ``PushReceiver`` goes there, and the result is `nil`, too.
    private func opened(
        _ push: IncomingPush, _ entry: TraceEntry, _ task: Int, _ reached: PendingAnswer<Void>
    ) -> PushUnderWay? {
        guard let app = app(for: push, entry) else { return nil }
        do {
            let content = try PushContent(
                push: push, strings: app.place.strings(device.settings.locale), rules: kernel.rules)
            if !content.notes.isEmpty { entry.update { $0.notes += content.notes } }
            return PushUnderWay(push: push, content: content, app: app, entry: entry, task: task, reached: reached)
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
        guard [.alert, .background, .voip, .liveactivity, .widgets, .controls].contains(push.pushType) else {
            entry.finish(note: "this phone shows nothing for push type \(push.pushType.rawValue)")
            return nil
        }
        guard !receivers.contains(where: { $0.receive(push, of: app, entry) }) else { return nil }
        return app
    }

    private func handle(_ push: PushUnderWay) {
        guard push.push.pushType != .voip else {
            return kernel.tasks.goOn(push.task) { [self] in
                await calls.receive(push)
                ended(push)
            }
        }
        let (isShown, note) = push.visibility(kernel.rules)
        if let note { push.entry.note(note) }
        take(push.steps(isShown: isShown, rules: kernel.rules)[...], with: push)
    }

    /// Carries out the steps one after another: each step begins when the previous step is done.
    private func take(_ steps: ArraySlice<PushUnderWay.Step>, with push: PushUnderWay) {
        guard let step = steps.first else {
            push.entry.finish()
            return ended(push)
        }
        let then: Then = { [self] in take(steps.dropFirst(), with: push) }
        switch step {
        case .wake: wake(push, then: then)
        case .show: show(push, then: then)
        case .tellForegroundApp: tellForegroundApp(push, then: then)
        }
    }

    /// A closure that continues with the next step; called exactly once.
    typealias Then = @MainActor @Sendable () -> Void

    private func ended(_ push: PushUnderWay) {
        push.reached.give(())
        kernel.tasks.ended(push.task)
    }

    private func show(_ push: PushUnderWay, then: @escaping Then) {
        let identifier = push.notificationID(kernel.rules, random: kernel.randomUUID)
        push.entry.update { $0.notificationID = identifier }
        let request = UNNotificationRequest(
            identifier: identifier, content: push.content.content, trigger: UNPushNotificationTrigger())
        guard let make = push.app.bundle.makeServiceExtension, runsExtension(for: push) else {
            return show(request.content, of: request, push, then: then)
        }
        kernel.tasks.goOn(push.task) { [self] in
            switch await changed(request, by: make, of: push) {
            case .show(let content): show(content, of: request, push, then: then)
            case .suppress:
                push.entry.update { $0.presentation = Presentation(why: ["suppressed by the service extension"]) }
                then()
            }
        }
    }

    private func show(
        _ content: UNNotificationContent, of request: UNNotificationRequest, _ push: PushUnderWay, then: @escaping Then
    ) {
        guard apps.has(push.app) else { return then() }
        let stored = notifications.stored(content, of: push)
        let isSame = stored === request.content
        notifications.present(
            NotificationUnderWay(
                request: isSame
                    ? request
                    : UNNotificationRequest(identifier: request.identifier, content: stored, trigger: request.trigger),
                app: push.app, isRemote: true, entry: push.entry, task: push.task, reached: push.reached)
        ) { foreground in
            push.foreground = foreground
            then()
        }
    }

    /// Passes a push to the app delegate of an app in the foreground, if the notification center's delegate does not get it.
    ///
    /// See ``PhoneRule/centerDelegateBypasses``.
    private func tellForegroundApp(_ push: PushUnderWay, then: @escaping Then) {
        let rules = kernel.rules
        let fallsBack = push.foreground == .notImplemented && rules.plainAlertFallsBackWithoutWillPresent
        guard let process = life.process(of: push.app), process.applicationState != .background,
            process.notificationCenter.delegate == nil || fallsBack || !rules.keeps(.centerDelegateBypasses)
        else { return then() }
        // The app is told, even if the person leaves it before its turn on the main queue.
        let grant = process.gate.grant()
        callFetchHandler(process, for: push, grant: nil) { handler in
            process.end(grant)
            push.reached.give(())
            handler.whenOver { outcome in
                guard outcome.value != .notImplemented else { return then() }
                push.entry.note("the app is in the foreground and was told by its app delegate")
                if case .overdue = outcome { push.entry.note(handler.overdueProblem.sentence) }
                then()
            }
        }
    }

    func settings(of app: InstalledApp) -> UNNotificationSettings.Values {
        notifications.settingValues(of: app)
    }

    func shutDown() { budgetTimer?.cancel() }
}
