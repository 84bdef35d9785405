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
            app.bundle.entitlements.contains(.communication) || !rules.keeps(.communicationNeedsEntitlement)
        else { return nil }
        let shown = app.list.delivered.first { $0.identifier == identifier }
        return shown?.notification.request.content.communication.map(Speaker.init)
    }

    /// Settings → Focus → People: a person whom a Focus lets through.
    ///
    /// - Parameter identifier: the value of the person's handle, or the contact's or the app's own identifier.
    public func allowInFocus(_ identifier: String) { peopleAllowedInFocus.insert(identifier) }

    func record(_ donation: InteractionDonation, from bundleID: String) {
        donations.append(
            Donation(
                bundleID: bundleID, identifier: donation.identifier, groupIdentifier: donation.groupIdentifier,
                isIncoming: donation.isIncoming, speaker: donation.communication.map(Speaker.init), at: clock.now))
        if donations.count > PhoneLimits.records { donations.removeFirst() }
    }

    func forgetDonations(of bundleID: String, _ identifiers: [String]?, _ groupIdentifier: String?) {
        donations.removeAll { donation in
            donation.bundleID == bundleID && identifiers?.contains(donation.identifier) ?? true
                && groupIdentifier.map { $0 == donation.groupIdentifier } ?? true
        }
    }
}
