import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The state of an installed app apart from its own files: settings, notifications, badge and categories.
///
/// A program can save this state to a file before it switches off a phone, and later restore it in another ``Phone``.
package struct SwitchedOffAppState: Codable, Sendable {
    struct Delivered: Codable {
        let notification: Data
        let isRemote: Bool
        let isOnLockScreen: Bool
        let waitsForSummary: Bool
    }

    struct Pending: Codable {
        let request: Data
        let addedAt: Timestamp
        let due: Timestamp?
    }

    let permission: SavedPermission
    let delivered: [Delivered]
    let pending: [Pending]
    let categories: [Data]
    let badge: Int
    let isBackgroundRefreshOn: Bool
    let isLocationAllowed: Bool
    // A file of an earlier version lacks these.
    let areLiveActivitiesOn: Bool?
    let areFrequentUpdatesOn: Bool?
    let liveActivities: [LiveActivity]?
}

extension SwitchedOffAppState {
    @MainActor init(
        of app: InstalledApp, _ notifications: Notifications, _ device: DeviceState, _ activities: LiveActivities
    ) throws {
        permission = SavedPermission(notifications.permission(of: app))
        let list = notifications.list(of: app)
        let shown = list.delivered
        let archives = try notifications.archives(of: app, Archive.data)
        delivered = zip(shown, archives).map { shown, archive in
            Delivered(
                notification: archive, isRemote: shown.isRemote, isOnLockScreen: shown.isOnLockScreen,
                waitsForSummary: shown.waitsForSummary)
        }
        pending = try list.pending.map {
            Pending(request: try Archive.data($0.request), addedAt: $0.addedAt, due: $0.due)
        }
        categories = try notifications.categories(of: app).sorted { $0.identifier < $1.identifier }.map(Archive.data)
        badge = notifications.badge(of: app)
        let settings = device.settings(of: app)
        isBackgroundRefreshOn = settings.isBackgroundRefreshOn
        isLocationAllowed = settings.isLocationAllowed
        areLiveActivitiesOn = settings.areLiveActivitiesOn
        areFrequentUpdatesOn = settings.areFrequentUpdatesOn
        liveActivities = activities.activities(of: app)
    }

    @MainActor func restore(
        _ app: InstalledApp, _ notifications: Notifications, _ device: DeviceState, _ activities: LiveActivities
    ) throws {
        let delivered = try delivered.map {
            NotificationList.Delivered(
                notification: try Archive.object(UNNotification.self, $0.notification), isRemote: $0.isRemote,
                isOnLockScreen: $0.isOnLockScreen, waitsForSummary: $0.waitsForSummary)
        }
        let pending = try pending.map {
            NotificationList.Pending(
                request: try Archive.object(UNNotificationRequest.self, $0.request), addedAt: $0.addedAt, due: $0.due)
        }
        var state = Notifications.AppState()
        state.categories = Set(try categories.map { try Archive.object(UNNotificationCategory.self, $0) })
        state.list = NotificationList(delivered: delivered, pending: pending)
        state.permission = Permission(permission)
        state.badge = badge
        device.changeSettings(of: app) { settings in
            settings.isBackgroundRefreshOn = isBackgroundRefreshOn
            settings.isLocationAllowed = isLocationAllowed
            settings.areLiveActivitiesOn = areLiveActivitiesOn ?? true
            settings.areFrequentUpdatesOn = areFrequentUpdatesOn ?? true
        }
        notifications.restore(state, of: app)
        activities.restore(liveActivities ?? [], of: app)
    }
}

extension Phone {
    /// Returns the state of an app, for saving it to a file before the phone is switched off for good.
    ///
    /// - Throws: ``PhoneError`` if the app is not installed; Foundation's error if a notification cannot be archived.
    package func savedState(of bundleID: String) throws -> SwitchedOffAppState {
        try SwitchedOffAppState(of: apps.installed(bundleID), notifications, device, liveActivities)
    }

    /// Gives an installed app the state that ``savedState(of:)`` of another phone has returned.
    ///
    /// Call this method before ``boot()``, because booting shows the notifications that fell due while the phone was off.
    ///
    /// - Throws: ``PhoneError`` if the app is not installed; Foundation's error if the state is unreadable. After an error,
    ///   the app's state is unchanged.
    package func restore(_ state: SwitchedOffAppState, of bundleID: String) throws {
        try state.restore(apps.installed(bundleID), notifications, device, liveActivities)
    }
}

private enum Archive {
    static func data(_ object: some NSObject & NSSecureCoding) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    static func object<Object: NSObject & NSSecureCoding>(_ type: Object.Type, _ data: Data) throws -> Object {
        guard let object = try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data) else {
            throw CocoaError(.coderReadCorrupt)
        }
        return object
    }
}
