import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// What an app asks of its notification center, carried out.
extension Phone {
    func requestAuthorization(
        _ options: UNAuthorizationOptions, from process: RunningProcess,
        answer: @escaping @MainActor @Sendable (Bool) -> Void
    ) {
        guard let app = apps[process.bundle.bundleID] else { return }
        if !app.permissionWaiters.isEmpty {
            app.permissionWaiters.append(.init(options: options, answer: answer))
            return
        }
        switch app.permission.requested(options, rules: rules) {
        case .answer(let granted):
            answer(granted)
            changed(.permission(bundleID: app.bundle.bundleID))
        case .prompt:
            app.permissionWaiters.append(.init(options: options, answer: answer))
            showWaitingPermissionSheet(for: app)
        }
    }

    /// The sheet waits until its app is active; while it is up the app is not.
    func showWaitingPermissionSheet(for app: InstalledApp) {
        guard !app.permissionWaiters.isEmpty, permissionSheet == nil, frontApp == app.bundle.bundleID, !isLocked,
            let process = app.process, process.applicationState == .active
        else { return }
        permissionSheet = PermissionSheet(bundleID: app.bundle.bundleID, appName: app.bundle.name)
        changed(.screen)
        tasks.begin("applicationWillResignActive for the permission sheet", on: self) { phone in
            await phone.resignActive(process)
            // Answered before the app was told that it is up.
            if phone.permissionSheet == nil { await phone.activate(process) }
        }
    }

    /// - Returns: the error for the app, if it is refused.
    func add(_ request: UNNotificationRequest, to bundleID: String) -> UNError? {
        guard let app = apps[bundleID] else { return UNError(.notificationsNotAllowed) }
        guard app.permission.isAllowed || !rules.keeps(.needsPermissionToShow) else {
            return UNError(.notificationsNotAllowed)
        }
        guard Self.isPropertyList(request.content.userInfo) else { return UNError(.notificationInvalidNoContent) }
        guard let trigger = request.trigger else {
            app.list.removePending([request.identifier])
            fire(request, of: app)
            return nil
        }
        let now = clock.now
        let due = trigger.nextDate(after: now.date, scheduledAt: now.date)
        guard due != nil || trigger is UNLocationNotificationTrigger else {
            return UNError(.notificationInvalidNoDate)
        }
        _ = app.list.schedule(.init(request: request, addedAt: now, due: due.map(Timestamp.init)), rules: rules)
        rescheduleDue()
        changed(.list(bundleID: bundleID))
        return nil
    }

    /// Apple: the keys and values of a local notification's `userInfo` are those of a property list, which has no null
    /// ([userInfo](https://developer.apple.com/documentation/usernotifications/unmutablenotificationcontent/userinfo)).
    ///
    /// Differs from iOS: how it refuses another is not documented; older versions raise an exception.
    private static func isPropertyList(_ object: Any) -> Bool {
        switch object {
        case is NSNull: false
        case let members as [AnyHashable: Any]: members.allSatisfy { $0.key is String && isPropertyList($0.value) }
        case let elements as [Any]: elements.allSatisfy(isPropertyList)
        default: true
        }
    }

    func removePending(_ identifiers: [String]?, of bundleID: String) {
        apps[bundleID]?.list.removePending(identifiers)
        rescheduleDue()
        changed(.list(bundleID: bundleID))
    }

    func removeDelivered(_ identifiers: [String]?, of bundleID: String) {
        guard let app = apps[bundleID] else { return }
        app.list.removeDelivered(identifiers)
        if let banner, banner.bundleID == bundleID,
            identifiers?.contains(banner.notification.request.identifier) ?? true
        {
            hideBanner()
        }
        closeAuthenticationSheet(ofAnyIn: identifiers, of: bundleID)
        changed(.list(bundleID: bundleID))
    }

    func setBadge(_ count: Int, of bundleID: String) -> UNError? {
        guard count >= 0 else { return UNError(.badgeInputInvalid) }
        guard let app = apps[bundleID], settingValues(of: bundleID).badge == .enabled else {
            return UNError(.notificationsNotAllowed)
        }
        apply(badge: count, to: app)
        return nil
    }

    /// What a negative `applicationIconBadgeNumber` does, unlike 0: the number goes, the list stays.
    func hideBadge(of bundleID: String) {
        guard rules.negativeBadgeHidesNumber, let app = apps[bundleID], settingValues(of: bundleID).badge == .enabled
        else { return }
        app.badge = 0
        changed(.badge(bundleID: bundleID))
    }

    func apply(badge: Int, to app: InstalledApp) {
        let old = app.badge
        app.badge = badge
        changed(.badge(bundleID: app.bundle.bundleID))
        if badge == 0, old > 0, rules.badgeZeroClearsList { removeDelivered(nil, of: app.bundle.bundleID) }
    }

    // MARK: pending requests

    /// Sets the one timer to what is due next, of all apps.
    func rescheduleDue() {
        dueTimer?.cancel()
        dueTimer = nil
        guard let next = apps.values.compactMap(\.list.nextDue).min() else { return }
        dueTimer = clock.schedule(at: next) { [mailbox] in mailbox.post { $0.fireDue() } }
    }

    func fireDue() {
        guard isPoweredOn else { return }
        for app in apps.values {
            for request in app.list.takeDue(at: clock.now) { fire(request, of: app) }
        }
        rescheduleDue()
    }

    // MARK: what is seen and heard beyond notifications

    func opened(_ url: URL, by bundleID: String, inApp: Bool) {
        openedURLs.append(OpenedURL(url: url, bundleID: bundleID, isInApp: inApp, at: clock.now))
        if openedURLs.count > PhoneLimits.records { openedURLs.removeFirst() }
        changed(.openedURL)
    }

    func noticed(_ event: SimulatedDeviceEvent, by bundleID: String) {
        switch event {
        case .haptic(let text): record(.haptic, text, bundleID)
        case .announcement(let text): record(.announcement, text, bundleID)
        case .openedInSafariView(let url): opened(url, by: bundleID, inApp: true)
        }
    }

    private func record(_ kind: RecordedDeviceEvent.Kind, _ text: String, _ bundleID: String) {
        deviceEvents.append(RecordedDeviceEvent(kind: kind, text: text, bundleID: bundleID, at: clock.now))
        if deviceEvents.count > PhoneLimits.records { deviceEvents.removeFirst() }
        changed(.screen)
    }
}
