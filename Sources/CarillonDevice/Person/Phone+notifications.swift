import CarillonCore
import Foundation
@_spi(Simulation) import UIKit
@_spi(Simulation) import UserNotifications

/// The actions of a person on notifications.
extension Phone {
    /// Taps a notification, on its banner, on the lock screen or in the list.
    ///
    /// A locked phone is unlocked by it.
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func tap(_ notificationID: String, in bundleID: String) async throws {
        try await kernel.doing(.tap(notificationID, app: bundleID)) { () async throws -> Void in
            try await person.tap(notificationID, in: bundleID)
        }
    }

    /// Chooses an action of the notification's category.
    ///
    /// On a locked phone an action that needs authentication waits for ``authenticate(_:)``: see ``authenticationSheet``.
    ///
    /// - Parameters:
    ///   - actionID: the identifier of one of ``actions(of:in:)``.
    ///   - notificationID: the identifier of the notification's request.
    ///   - bundleID: the app whose notification it is.
    ///   - text: the text that the person types into a text action; the default is none.
    /// - Throws: ``PhoneError`` (`unknownNotification`, `unknownAction`).
    public func choose(
        _ actionID: String, on notificationID: String, in bundleID: String, text: String? = nil
    ) async throws {
        try await kernel.doing(.choose(actionID, notification: notificationID, app: bundleID, text: text)) {
            () async throws -> Void in
            try await person.choose(actionID, on: notificationID, in: bundleID, text: text)
        }
    }

    /// Clears a notification from the lock screen or the list.
    ///
    /// The app is told only if the notification's category has `customDismissAction` (rule 12).
    ///
    /// - Throws: ``PhoneError``: off, or the notification is not shown.
    public func dismiss(_ notificationID: String, in bundleID: String) async throws {
        try await kernel.doing(.dismiss(notificationID, app: bundleID)) { () async throws -> Void in
            try await person.dismiss(notificationID, in: bundleID)
        }
    }

    /// Swipes the banner away: the notification stays in the list, and the app is not told (rule 12).
    public func swipeAwayBanner() {
        kernel.doingAtOnce(.swipeAwayBanner) { () -> Void in
            screenState.hideBanner()
        }
    }

    /// Returns the actions of a notification's category, if the app has declared that category (rule 13).
    public func actions(of notificationID: String, in bundleID: String) -> [UNNotificationAction] {
        guard let app = apps[bundleID], let notification = try? notifications.find(notificationID, of: app) else {
            return []
        }
        return person.actions(of: notification, app)
    }

    /// Answers the sheet that asks for Face ID or Touch ID.
    ///
    /// An owner who is recognised unlocks the phone, and the action that waited is carried out.
    ///
    /// - Parameter isOwner: `false` cancels; the phone stays locked and the notification where it is.
    /// - Throws: ``PhoneError`` (`noAuthenticationSheet`) where there is none.
    public func authenticate(_ isOwner: Bool) async throws {
        try await kernel.doing(.authenticate(isOwner)) { () async throws -> Void in
            try await person.authenticate(isOwner)
        }
    }
}
