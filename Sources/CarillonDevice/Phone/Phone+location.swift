import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UserNotifications

/// Where the phone is, and what waits for that.
extension Phone {
    /// Takes the phone to a place at once. Requests of apps whose region is entered or left by it fire, where the person
    /// lets the app use the location.
    ///
    /// While the phone is switched off nothing fires, then or later.
    public func move(to place: CLLocationCoordinate2D) {
        let move = LocationChange(from: location, to: place)
        location = place
        guard isPoweredOn else { return }
        for bundleID in installedApps {
            guard let app = apps[bundleID], app.isLocationAllowed || !rules.keeps(.regionNeedsPermission) else {
                continue
            }
            let crossed = app.list.takeCrossed(move)
            for request in crossed { fire(request, of: app) }
            if !crossed.isEmpty { changed(.list(bundleID: bundleID)) }
        }
        changed(.screen)
    }

    /// Settings → Privacy → Location Services → this app: while using the app, or never. Never is the default.
    public func setLocationAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).isLocationAllowed = isAllowed
    }
}

/// A way from one place to another, of which only the ends count.
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
