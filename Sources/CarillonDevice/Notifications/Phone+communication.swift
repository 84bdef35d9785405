import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// Who speaks, in notifications of messages and calls.
extension Phone {
    /// Who speaks in a notification of the app's list, as the phone shows it beside the text.
    ///
    /// - Returns: `nil` for what is no communication notification, or where the app lacks the capability.
    public func speaker(of identifier: String, in bundleID: String) -> Speaker? {
        guard let app = apps[bundleID],
            app.bundle.entitlements.contains(.communication) || !kernel.rules.keeps(.communicationNeedsEntitlement)
        else { return nil }
        let shown = notifications.list(of: app).delivered.first { $0.identifier == identifier }
        return shown?.notification.request.content.communication.map(Speaker.init)
    }
}
