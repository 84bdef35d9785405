import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// Presents notifications on the screen.
extension Notifications {
    /// Asks the app in front how to present a notification, presents it, and then calls `then` with the app's answer.
    ///
    /// If the notification's app is not in front, the phone presents the notification without asking, and calls `then` with
    /// the reason why there is no answer.
    func present(
        _ notification: NotificationUnderWay,
        then: @escaping @MainActor @Sendable (PresentationInput.Foreground) -> Void
    ) {
        askForegroundApp(notification) { [self] foreground in
            guard apps.has(notification.app), device.isPoweredOn else { return then(foreground) }
            if foreground == .notImplemented {
                life.noteNearMisses(of: notification.app, for: "willPresent:", in: notification.entry)
            }
            guard foreground == .noDelegate, !notification.isRemote else {
                show(notification, as: decide(notification, foreground))
                return then(foreground)
            }
            kernel.tasks.goOn(notification.task) { [self] in
                await tellByOldMethod(notification)
                show(notification, as: decide(notification, foreground))
                then(foreground)
            }
        }
    }

    func decide(_ notification: NotificationUnderWay, _ foreground: PresentationInput.Foreground) -> Presentation {
        let (app, content) = (notification.app, notification.request.content)
        var input = PresentationInput(content, of: app, on: device)
        input.settings = settingValues(of: app)
        input.foreground = foreground
        input.isAskedForPermission = !perApp[app].permissionWaiters.isEmpty
        input.unknownCategory = unknownCategory(of: content, app)
        if let missing = content.communication?.missingActivityType(in: app.bundle) { notification.entry.note(missing) }
        return Presentation.decide(input, rules: kernel.rules)
    }

    /// Returns the identifier of the content's category if neither the app nor one of its content extensions declares it.
    private func unknownCategory(of content: UNNotificationContent, _ app: InstalledApp) -> String? {
        let name = content.categoryIdentifier
        let isKnown =
            name.isEmpty || perApp[app].categories.contains { $0.identifier == name }
            || app.bundle.contentExtensions.contains { $0.categories.contains(name) }
        return isKnown ? nil : name
    }

    private func askForegroundApp(
        _ notification: NotificationUnderWay,
        then: @escaping @MainActor @Sendable (PresentationInput.Foreground) -> Void
    ) {
        let entry = notification.entry
        guard let process = life.process(of: notification.app), process.applicationState != .background,
            kernel.rules.keeps(.foregroundAsksTheApp)
        else { return then(.notInForeground) }
        let center = process.notificationCenter
        guard let delegate = center.delegate else {
            if let sentence = process.lostDelegate { entry.note(sentence) }
            return then(.noDelegate)
        }
        let shown = UNNotification(date: kernel.now.date, request: notification.request)
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<UNNotificationPresentationOptions> = background.completionHandler(
            "willPresent", of: process, seconds: kernel.rules.willPresentSeconds, twice: .centerHandlerTwice,
            report: { entry.note($0.sentence) })
        // The app is asked, even if the person leaves it before its turn on the main queue.
        let grant = process.gate.grant()
        kernel.call(process, "willPresent") {
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, willPresent: shown) { handler.call($0) }
            }
        } then: { _ in
            process.end(grant)
            notification.reached.give(())
            handler.whenOver { outcome in
                if method.isMissing("willPresent") { return then(.notImplemented) }
                then(outcome.value.map { .answered($0) } ?? .late)
            }
        }
    }

    /// Tells the app in front that a `UILocalNotification` has fired; nothing is shown.
    private func tellByOldMethod(_ notification: NotificationUnderWay) async {
        let app = notification.app
        guard let original = oldNotification(notification.request.identifier, of: app),
            let process = life.process(of: app)
        else {
            return
        }
        if await life.receivedByOldMethod(original, process) {
            notification.entry.note("the app is in the foreground and was told by application(_:didReceive:)")
        }
    }

    /// Shows a notification in the places that `presentation` names.
    func show(_ notification: NotificationUnderWay, as presentation: Presentation) {
        let (app, bundleID, request) = (notification.app, notification.bundleID, notification.request)
        let shown = UNNotification(date: kernel.now.date, request: request)
        var replaced: [NotificationList.Delivered] = []
        if presentation.isShown {
            // A notification that is only a banner enters no list, but it replaces the listed one with an equal identifier.
            replaced = perApp[app].list.show(
                .init(
                    notification: shown, isRemote: notification.isRemote, isOnLockScreen: presentation.lockScreen,
                    waitsForSummary: presentation.waitsForSummary, entry: notification.entry.number),
                rules: kernel.rules)
            if presentation.waitsForSummary { awaitSummary() }
            if !presentation.list, !presentation.lockScreen { perApp[app].list.removeDelivered([request.identifier]) }
        }
        traces.note(replaced, haveLeftBecause: "a newer notification with its identifier has replaced it")
        if presentation.banner { screen.showBanner(shown, of: bundleID) }
        if let sound = presentation.sound { records.played(sound, by: bundleID) }
        notification.entry.update { trace in
            if !replaced.isEmpty { trace.notes.append("replaced the notification with the same identifier") }
            trace.presentation = presentation
        }
        if let badge = presentation.badge { badge < 0 ? hideBadge(of: bundleID) : apply(badge: badge, to: app) }
        kernel.changed(.list(bundleID: bundleID))
    }
}

/// A notification that is about to be shown, from a push or from the app itself.
///
/// The value also holds the notification's app and its trace entry.
@MainActor struct NotificationUnderWay {
    let request: UNNotificationRequest
    let app: InstalledApp
    let isRemote: Bool
    let entry: TraceEntry
    /// The number under which ``OutstandingTasks`` lists this notification as unfinished work.
    let task: Int
    /// The signal for which ``Phone/receive(_:)`` waits: the phone has called the app's delegate, or will not call it.
    let reached: PendingAnswer<Void>

    var bundleID: String { app.bundle.bundleID }
}

extension PresentationInput {
    /// Makes the conditions that the notification's content, its app's bundle and the device determine.
    @MainActor fileprivate init(_ content: UNNotificationContent, of app: InstalledApp, on device: DeviceState) {
        self.init(hasText: !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty)
        soundName = content.sound.map { $0.fileName ?? Presentation.defaultSound }
        isCriticalSound = content.sound?.isCritical ?? false
        soundFiles = app.soundFiles(for: soundName)
        badge = content.badge?.intValue
        level = content.interruptionLevel
        entitlements = app.bundle.entitlements
        isLocked = device.isLocked
        isFocusOn = device.settings.isFocusOn
        isMuted = device.settings.isMuted
        communication = content.communication
        peopleAllowedInFocus = device.settings.peopleAllowedInFocus
    }
}

extension Communication {
    /// Returns a sentence if the app's Info.plist does not name the intent, as Apple demands for communication notifications.
    ///
    /// [Implementing communication
    /// notifications](https://developer.apple.com/documentation/usernotifications/implementing-communication-notifications).
    fileprivate func missingActivityType(in bundle: AppBundle) -> String? {
        let type = kind == .call ? "INStartCallIntent" : "INSendMessageIntent"
        guard !bundle.userActivityTypes.contains(type) else { return nil }
        return
            "NSUserActivityTypes of Info.plist does not name \(type), which an iPhone demands of communication "
            + "notifications"
    }
}

extension InstalledApp {
    /// Returns the lengths in seconds of the app's sound files, by file name; `nil` if the app's bundle does not describe them.
    ///
    /// An app may also write sounds into `Library/Sounds` at run time, in its own folder or in the folder of an App Group
    /// ([UNNotificationSound](https://developer.apple.com/documentation/usernotifications/unnotificationsound)). If the app has
    /// written a file `name` there, the result contains that file with the length 0.
    fileprivate func soundFiles(for name: String?) -> [String: Double]? {
        guard var files = bundle.sounds, let name, files[name] == nil, !name.contains("/") else {
            return bundle.sounds
        }
        let folders = [nil] + containers.appGroups.map(Optional.some)
        let isWritten = folders.contains { group in
            let sounds = containers.directory(appGroup: group).appending(path: "Library/Sounds")
            return FileManager.default.fileExists(atPath: sounds.appending(path: name).path)
        }
        if isWritten { files[name] = 0 }
        return files
    }
}
