import CarillonCore
import Foundation
@_spi(Simulation) import UserNotifications

/// The speakers of communication notifications: messages and calls.
extension Phone {
    /// Returns the speaker of a notification in the app's list, whom the phone shows beside the text.
    ///
    /// - Returns: `nil` if it is not a communication notification or the app lacks the capability.
    public func speaker(of identifier: String, in bundleID: String) -> Speaker? {
        guard let app = apps[bundleID],
            app.bundle.entitlements.contains(.communication) || !kernel.rules.keeps(.communicationNeedsEntitlement)
        else { return nil }
        let shown = notifications.list(of: app).delivered.first { $0.identifier == identifier }
        return shown?.notification.request.content.communication.map(Speaker.init)
    }
}
