@_spi(Simulation) import UserNotifications

/// The `UILocalNotification`s that apps have scheduled, stored by the identifiers of the requests made from them.
extension Notifications {
    func oldNotification(_ identifier: String, of app: InstalledApp) -> AnyObject? {
        perApp[app].oldNotifications[identifier]
    }

    /// Stores the `UILocalNotification` from which a request was made.
    ///
    /// Also drops the stored notifications that are no longer needed: their requests are neither pending nor delivered.
    func keep(_ original: AnyObject, as identifier: String, of app: InstalledApp) {
        let list = perApp[app].list
        let known = Set(list.pending.map(\.request.identifier) + list.delivered.map(\.identifier))
        perApp[app].oldNotifications = perApp[app].oldNotifications.filter { known.contains($0.key) }
        perApp[app].oldNotifications[identifier] = original
    }
}
