import CarillonCore
import CoreLocation
import Foundation
@_spi(Simulation) import UserNotifications

/// Where the phone is, and what waits for that.
extension Phone {
    /// Takes the phone to a place at once.
    ///
    /// Requests fire whose region is entered or left by it, of apps that may use the location.
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

    /// Sets Settings → Privacy → Location Services for the app: while using the app, or never.
    ///
    /// The default is never.
    ///
    /// - Throws: ``PhoneError`` for an app that is not installed.
    public func setLocationAllowed(_ isAllowed: Bool, for bundleID: String) throws(PhoneError) {
        try installed(bundleID).isLocationAllowed = isAllowed
    }
}
