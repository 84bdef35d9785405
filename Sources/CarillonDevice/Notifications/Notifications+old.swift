@_spi(Simulation) import UserNotifications

/// Keeps the `UILocalNotification`s that apps have scheduled.
///
/// Each is stored under the identifier of the notification request that the phone makes from it.
extension Notifications {
    func oldNotification(_ identifier: String, of app: InstalledApp) -> AnyObject? {
        perApp[app].oldNotifications[identifier]
    }

    /// Stores a `UILocalNotification` under the identifier of the notification request that the phone has made from it.
    ///
    /// Also drops each stored `UILocalNotification` whose request is neither pending nor delivered.
    func keep(_ original: AnyObject, as identifier: String, of app: InstalledApp) {
        let list = perApp[app].list
        let known = Set(list.pending.map(\.request.identifier) + list.delivered.map(\.identifier))
        perApp[app].oldNotifications = perApp[app].oldNotifications.filter { known.contains($0.key) }
        perApp[app].oldNotifications[identifier] = original
    }
}
