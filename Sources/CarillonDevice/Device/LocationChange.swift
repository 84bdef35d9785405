import CoreLocation
import UserNotifications

/// A move from one place to another; the way between them does not count.
struct LocationChange: Sendable {
    /// `nil`: outside of every region.
    let from: CLLocationCoordinate2D?
    let to: CLLocationCoordinate2D

    /// Whether it takes the phone into or out of the trigger's region, as that asks.
    func fires(_ trigger: UNNotificationTrigger) -> Bool {
        guard let region = (trigger as? UNLocationNotificationTrigger)?.region as? CLCircularRegion else {
            return false
        }
        let wasInside = from.map(region.contains) ?? false
        let isInside = region.contains(to)
        return (region.notifyOnEntry && !wasInside && isInside) || (region.notifyOnExit && wasInside && !isInside)
    }
}
