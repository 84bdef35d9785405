import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// How a notification gets on the screen.
extension Phone {
    /// Asks the app, if it is in front, then shows.
    func present(
        _ request: UNNotificationRequest, of app: InstalledApp, isRemote: Bool, _ number: Int,
        _ reached: PendingAnswer<Void>
    ) async {
        let foreground = await askForegroundApp(app, request, number, reached)
        guard apps[app.bundle.bundleID] === app, isPoweredOn else { return }
        if foreground == .notImplemented { noteNearMisses(of: app, for: "willPresent:", number) }
        if foreground == .noDelegate, !isRemote { await tellByOldMethod(of: app, request, number) }
        show(request, decide(request, of: app, foreground), of: app, isRemote: isRemote, number)
    }

    func decide(
        _ request: UNNotificationRequest, of app: InstalledApp, _ foreground: PresentationInput.Foreground
    ) -> Presentation {
        let content = request.content
        var input = PresentationInput(
            hasText: !content.title.isEmpty || !content.subtitle.isEmpty || !content.body.isEmpty)
        input.soundName = content.sound.map { $0.fileName ?? "default" }
        input.isCriticalSound = content.sound?.isCritical ?? false
        input.badge = content.badge?.intValue
        input.level = content.interruptionLevel
        input.settings = settingValues(of: app.bundle.bundleID)
        input.entitlements = app.bundle.entitlements
        input.isLocked = isLocked
        input.isFocusOn = isFocusOn
        input.isMuted = isMuted
        input.foreground = foreground
        input.communication = content.communication
        input.peopleAllowedInFocus = peopleAllowedInFocus
        input.unknownCategory = unknownCategory(of: content, app)
        return Presentation.decide(input, rules: rules)
    }

    /// A content extension may serve a category that the app does not declare.
    private func unknownCategory(of content: UNNotificationContent, _ app: InstalledApp) -> String? {
        let name = content.categoryIdentifier
        let isKnown =
            name.isEmpty || app.categories.contains { $0.identifier == name }
            || app.bundle.contentExtensions.contains { $0.categories.contains(name) }
        return isKnown ? nil : name
    }

    private func askForegroundApp(
        _ app: InstalledApp, _ request: UNNotificationRequest, _ number: Int, _ reached: PendingAnswer<Void>
    ) async -> PresentationInput.Foreground {
        guard let process = app.process, app.runningState.isForeground, rules.keeps(.foregroundAsksTheApp) else {
            return .notInForeground
        }
        let center = process.notificationCenter
        guard let delegate = center.delegate else {
            if let sentence = process.lostDelegate { note(sentence, in: number) }
            return .noDelegate
        }
        let notification = UNNotification(date: clock.now.date, request: request)
        let method = OptionalMethod.Call()
        let handler: CompletionHandler<UNNotificationPresentationOptions> = completionHandler(
            "willPresent", of: process, seconds: rules.willPresentSeconds,
            report: { phone, problem in phone.note(problem.sentence, in: number) })
        await call(process) {
            OptionalMethod.$call.withValue(method) {
                delegate.userNotificationCenter(center, willPresent: notification) { handler.call($0) }
            }
        }
        reached.give(())
        let options = await handler.outcome().value
        if method.isMissing("willPresent") { return .notImplemented }
        return options.map { .answered($0) } ?? .late
    }

    /// Puts it where `presentation` says.
    func show(
        _ request: UNNotificationRequest, _ presentation: Presentation, of app: InstalledApp, isRemote: Bool,
        _ number: Int
    ) {
        let bundleID = app.bundle.bundleID
        let notification = UNNotification(date: clock.now.date, request: request)
        if presentation.isShown {
            // What is only a banner is in no list afterwards, but it replaces what has its identifier all the same.
            let replaced = app.list.show(
                .init(
                    notification: notification, isRemote: isRemote, isOnLockScreen: presentation.lockScreen,
                    waitsForSummary: presentation.waitsForSummary),
                rules: rules)
            if presentation.waitsForSummary { awaitSummary() }
            if !presentation.list, !presentation.lockScreen { app.list.removeDelivered([request.identifier]) }
            if replaced {
                log.update(number) { $0.notes.append("replaced the notification with the same identifier") }
            }
        }
        if presentation.banner { showBanner(notification, of: bundleID) }
        if let sound = presentation.sound {
            sounds.append(PlayedSound(name: sound, bundleID: bundleID, at: clock.now))
            if sounds.count > PhoneLimits.records { sounds.removeFirst() }
            changed(.sound)
        }
        if let badge = presentation.badge { apply(badge: badge, to: app) }
        update(number) { $0.presentation = presentation }
        changed(.list(bundleID: bundleID))
    }

    // MARK: the banner

    /// The newest is shown; the one before leaves for the list.
    private func showBanner(_ notification: UNNotification, of bundleID: String) {
        lastBannerNumber += 1
        let number = lastBannerNumber
        banner = Banner(number: number, bundleID: bundleID, notification: notification, shownAt: clock.now)
        bannerTimer?.cancel()
        bannerTimer = schedule(afterSeconds: rules.bannerSeconds) { phone in
            // Under a long press it stays for as long as it is open.
            guard let shown = phone.banner, shown.number == number,
                phone.expansion?.notification !== shown.notification
            else { return }
            phone.hideBanner()
        }
        changed(.screen)
    }

    func hideBanner() {
        guard banner != nil else { return }
        banner = nil
        bannerTimer?.cancel()
        bannerTimer = nil
        changed(.screen)
    }

    func hideBanner(of notificationID: String) {
        if banner?.notification.request.identifier == notificationID { hideBanner() }
    }
}
