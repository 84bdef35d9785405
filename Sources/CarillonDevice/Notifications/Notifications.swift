import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The notification center: the requests of apps, the pending notifications, and the delivered ones.
@MainActor final class Notifications: PartWithApps {
    /// The notification state of one app.
    struct AppState {
        var list = NotificationList()
        var archives = NotificationArchives()
        var permission = Permission()
        /// The app's requests for permission that wait for the person's answer on the permission sheet.
        var permissionWaiters: [PermissionRequest] = []
        /// The question of the permission sheet for ``permissionWaiters``.
        var openQuestion = PermissionSheet.Question.notifications
        var badge = 0
        var categories: Set<UNNotificationCategory> = []
        /// The app's `UILocalNotification`s, each under the identifier of the notification request that the phone made from it.
        var oldNotifications: [String: AnyObject] = [:]
    }

    struct PermissionRequest {
        let options: UNAuthorizationOptions
        let answer: @MainActor @Sendable (Bool) -> Void
    }

    let kernel: PhoneKernel
    let traces: Traces
    let device: DeviceState
    let apps: InstalledApps
    let screen: PhoneScreen
    let records: PhoneRecords
    let life: AppLife
    let background: Background
    /// The notifications of the last scheduled summary, the most relevant first.
    var summary: [UNNotification] = []
    var summaryTimer: ScheduledAction?
    private var dueTimer: ScheduledAction?
    var perApp = PerApp(AppState())
    /// The badges of deleted apps, by bundle ID (``PhoneRules/reinstalledAppKeepsBadge``).
    private var badgesOfDeleted: [String: Int] = [:]

    /// Makes the notification center of a phone.
    ///
    /// - Parameters:
    ///   - background: the part of the phone that gives apps background time.
    ///   - records: the part of the phone that records sounds.
    init(background: Background, records: PhoneRecords) {
        kernel = background.kernel
        traces = background.traces
        device = background.device
        apps = background.apps
        life = background.life
        screen = life.screen
        self.records = records
        self.background = background
    }

    // MARK: state of an app

    func list(of app: InstalledApp) -> NotificationList { perApp[app].list }

    /// Returns the app's delivered and pending notifications; `nil` for an app that is not installed.
    func list(of bundleID: String) -> NotificationList? { apps[bundleID].map { list(of: $0) } }

    func badge(of app: InstalledApp) -> Int { perApp[app].badge }

    func categories(of app: InstalledApp) -> Set<UNNotificationCategory> { perApp[app].categories }

    func category(of content: UNNotificationContent, in app: InstalledApp) -> UNNotificationCategory? {
        perApp[app].categories.first { $0.identifier == content.categoryIdentifier }
    }

    /// Sets the categories that the app declares, in place of all earlier ones (``PhoneRule/categoriesReplaceAll``).
    func set(_ categories: Set<UNNotificationCategory>, of bundleID: String) {
        guard let app = apps[bundleID] else { return }
        if kernel.rules.keeps(.categoriesReplaceAll) {
            perApp[app].categories = categories
        } else {
            perApp[app].categories.formUnion(categories)
        }
    }

    /// Makes the notification state of an app that is being installed: permission, notifications, badge and categories.
    ///
    /// An update keeps this state except for waiting permission requests; it keeps categories only if
    /// ``PhoneRule/updateKeepsSettings`` is on.
    func installed(_ app: InstalledApp, updating old: InstalledApp?) {
        perApp.install(app, updating: old) { new, old in
            new.permission = old.permission
            new.list = old.list
            new.oldNotifications = old.oldNotifications
            new.badge = old.badge
            if kernel.rules.keeps(.updateKeepsSettings) { new.categories = old.categories }
        }
        if let badge = badgesOfDeleted.removeValue(forKey: app.bundle.bundleID) { perApp[app].badge = badge }
    }

    func deleted(_ app: InstalledApp) {
        badgesOfDeleted[app.bundle.bundleID] = kernel.rules.reinstalledAppKeepsBadge ? badge(of: app) : nil
        traces.note(list(of: app).delivered, haveLeftBecause: "the app was deleted")
        perApp.remove(app)
        rescheduleDue()
    }

    /// Forgets the last summary and the badges of deleted apps, because the phone is erased.
    func erase() {
        summary = []
        badgesOfDeleted = [:]
    }

    /// Computes the dates of calendar triggers anew, and the hour of the summary, in the phone's new time zone.
    func followTimeZone() {
        for app in apps.all { perApp[app].list.follow(device.triggerCalendar, at: kernel.now) }
        rescheduleDue()
        guard summaryTimer != nil else { return }
        summaryTimer?.cancel()
        summaryTimer = nil
        awaitSummary()
    }

    /// Replaces the state of an app by a state that another phone has saved.
    func restore(_ state: AppState, of app: InstalledApp) {
        perApp[app] = state
        rescheduleDue()
        let bundleID = app.bundle.bundleID
        for change: PhoneChange in [
            .permission(bundleID: bundleID), .list(bundleID: bundleID), .badge(bundleID: bundleID),
        ] {
            kernel.changed(change)
        }
    }

    /// Restores an app's permission and badge from another phone's backup, which contains no notifications.
    func restoreFromBackup(_ other: Notifications, _ source: InstalledApp, to app: InstalledApp) {
        perApp[app].permission = other.permission(of: source)
        perApp[app].badge = other.badge(of: source)
    }

    /// Returns the encoded delivered notifications, for saving them to a file.
    ///
    /// - Throws: the error of `archive`.
    func archives(of app: InstalledApp, _ archive: (UNNotification) throws -> Data) rethrows -> [Data] {
        try perApp[app].archives.data(of: list(of: app).delivered.map(\.notification), archive: archive)
    }

    // MARK: pending requests

    /// Adds a request of an app.
    ///
    /// - Returns: the error that the app gets if the request is refused; otherwise `nil`.
    func add(_ request: UNNotificationRequest, to bundleID: String) -> UNError? {
        do throws(UNError) {
            try schedule(request, of: bundleID)
            return nil
        } catch {
            return error
        }
    }

    private func schedule(_ request: UNNotificationRequest, of bundleID: String) throws(UNError) {
        guard let app = apps[bundleID] else { throw UNError(.notificationsNotAllowed) }
        guard perApp[app].permission.isAllowed || !kernel.rules.keeps(.needsPermissionToShow) else {
            throw UNError(.notificationsNotAllowed)
        }
        guard UserInfoKind(request.content.userInfo) == .propertyList else {
            // Differs from iOS: Apple does not document how it refuses such a value.
            throw UNError(.notificationInvalidNoContent)
        }
        let request = UNNotificationRequest(
            identifier: request.identifier, content: try stored(request.content, of: app), trigger: request.trigger)
        guard let trigger = request.trigger else {
            perApp[app].list.removePending([request.identifier])
            fire(request, of: app)
            return
        }
        let now = kernel.now
        let due = trigger.nextDate(after: now.date, scheduledAt: now.date, in: device.triggerCalendar)
        guard due != nil || trigger is UNLocationNotificationTrigger else {
            throw UNError(.notificationInvalidNoDate)
        }
        let dropped = perApp[app].list.schedule(
            .init(request: request, addedAt: now, due: due.map(Timestamp.init)), rules: kernel.rules)
        for identifier in dropped {
            traces.begin(event: "add", of: bundleID).finish(
                note: "lost: the pending request \(identifier), since iOS keeps \(kernel.rules.pendingRequestLimit)")
        }
        rescheduleDue()
        kernel.changed(.list(bundleID: bundleID))
    }

    func removePending(_ identifiers: [String]?, of bundleID: String) {
        if let app = apps[bundleID] { perApp[app].list.removePending(identifiers) }
        rescheduleDue()
        kernel.changed(.list(bundleID: bundleID))
    }

    /// Sets the timer, which all apps share, to the time at which the next request of any app is due.
    func rescheduleDue() {
        dueTimer?.cancel()
        dueTimer = nil
        guard let next = apps.all.compactMap({ perApp[$0].list.nextDue }).min() else { return }
        dueTimer = kernel.schedule(at: next) { [weak self] in self?.fireDue() }
    }

    func fireDue() {
        guard device.isPoweredOn else { return }
        for app in apps.all {
            for request in perApp[app].list.takeDue(at: kernel.now, in: device.triggerCalendar) {
                fire(request, of: app)
            }
        }
        rescheduleDue()
    }

    /// Fires the location requests whose region a move of the phone has entered or left.
    func fireCrossed(by move: LocationChange) {
        for app in apps.all
        where device.settings(of: app).isLocationAllowed || !kernel.rules.keeps(.regionNeedsPermission) {
            let crossed = perApp[app].list.takeCrossed(move)
            for request in crossed { fire(request, of: app) }
            if !crossed.isEmpty { kernel.changed(.list(bundleID: app.bundle.bundleID)) }
        }
    }

    /// Fires a local notification whose time has come.
    private func fire(_ request: UNNotificationRequest, of app: InstalledApp) {
        let entry = traces.begin(.local, of: app.bundle.bundleID) { $0.notificationID = request.identifier }
        let task = kernel.tasks.began("local notification \(entry.number) of \(app.bundle.bundleID)")
        let notification = NotificationUnderWay(
            request: request, app: app, isRemote: false, entry: entry, task: task, reached: PendingAnswer())
        // An app in the background finds the notification in the list when `add` calls back. An app in front is asked first.
        guard life.runningState(of: app).isForeground else {
            show(notification, as: decide(notification, .notInForeground))
            entry.finish()
            kernel.tasks.ended(task)
            return
        }
        // The app's `add` completes before the app is asked about the presentation.
        kernel.tasks.goOnLater(task) { [self] in
            present(notification) { [kernel] _ in
                entry.finish()
                kernel.tasks.ended(task)
            }
        }
    }

    // MARK: the list

    /// Returns one of the app's notifications: one in the notification center, or one that is only shown as a banner.
    ///
    /// - Throws: ``PhoneError`` if the phone is off, or if the app shows no such notification.
    func find(_ notificationID: String, of app: InstalledApp) throws(PhoneError) -> UNNotification {
        try device.checkPoweredOn()
        if let shown = perApp[app].list.delivered.first(where: { $0.identifier == notificationID }) {
            return shown.notification
        }
        let bundleID = app.bundle.bundleID
        if let banner = screen.banner, banner.bundleID == bundleID,
            banner.notification.request.identifier == notificationID
        {
            return banner.notification
        }
        let shown = perApp[app].list.delivered.map(\.identifier).joined(separator: ", ")
        throw PhoneError(
            .unknownNotification,
            "\(bundleID) shows no notification \(notificationID). In the list: \(shown.isEmpty ? "none" : shown).")
    }

    /// Removes delivered notifications of an app.
    ///
    /// - Parameters:
    ///   - identifiers: the identifiers of the notifications; `nil` means all.
    ///   - bundleID: the bundle ID of the app.
    ///   - cause: the cause to record in the notifications' traces; `nil`, the default, records none, because the person removes
    ///     them.
    func removeDelivered(_ identifiers: [String]?, of bundleID: String, because cause: String? = nil) {
        guard let app = apps[bundleID] else { return }
        let gone = perApp[app].list.removeDelivered(identifiers)
        if let cause { traces.note(gone, haveLeftBecause: cause) }
        screen.removed(identifiers, of: bundleID)
        kernel.changed(.list(bundleID: bundleID))
    }

    func leaveLockScreen() { for app in apps.all { perApp[app].list.leaveLockScreen() } }

    // MARK: the badge

    /// Sets an app's badge for the app itself.
    ///
    /// - Returns: the error that the app gets; `nil` if the badge was set.
    func setBadge(_ count: Int, of bundleID: String) -> UNError? {
        guard let app = apps[bundleID] else { return UNError(.notificationsNotAllowed) }
        let answer = BadgeAnswer(to: count, isAllowed: settingValues(of: bundleID).badge == .enabled)
        if answer.error == nil { apply(badge: count, to: app) } else if answer.clears { put(badge: 0, on: app) }
        return answer.error
    }

    /// Hides an app's badge and keeps the app's delivered notifications, as iOS does for a negative badge number.
    ///
    /// The number 0 would also remove the notifications. An app sets a negative number as `applicationIconBadgeNumber`, or as the
    /// badge of [a local notification](https://github.com/lionheart/openradar-mirror/issues/17743).
    func hideBadge(of bundleID: String) {
        guard kernel.rules.negativeBadgeHidesNumber, let app = apps[bundleID],
            settingValues(of: bundleID).badge == .enabled
        else { return }
        put(badge: 0, on: app)
    }

    private func put(badge: Int, on app: InstalledApp) {
        perApp[app].badge = badge
        kernel.changed(.badge(bundleID: app.bundle.bundleID))
    }

    func apply(badge: Int, to app: InstalledApp) {
        let old = perApp[app].badge
        put(badge: badge, on: app)
        guard badge == 0, old > 0, kernel.rules.badgeZeroClearsList else { return }
        app.attachments.deleteFiles(ofDeliveredIn: perApp[app].list)
        removeDelivered(nil, of: app.bundle.bundleID, because: "a badge of 0 has cleared the app's list")
    }

    // MARK: the end

    func shutDown() {
        dueTimer?.cancel()
        summaryTimer?.cancel()
    }
}
