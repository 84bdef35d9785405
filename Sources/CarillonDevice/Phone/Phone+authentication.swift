@_spi(Simulation) import UserNotifications

/// Actions that are carried out on an unlocked phone only.
extension Phone {
    /// Answers the sheet that asks for Face ID or Touch ID.
    ///
    /// An owner who is recognised unlocks the phone, and the action that waited is carried out.
    ///
    /// - Parameter isOwner: `false` cancels; the phone stays locked and the notification where it is.
    /// - Throws: ``PhoneError`` (`noAuthenticationSheet`) where there is none.
    public func authenticate(_ isOwner: Bool) async throws {
        guard let sheet = authenticationSheet else {
            throw PhoneError(
                .noAuthenticationSheet,
                "\(name) does not ask for Face ID: choose an action that needs it while the phone is locked.")
        }
        closeAuthenticationSheet()
        guard isOwner else { return }
        await unlock()
        try await choose(sheet.actionID, on: sheet.notificationID, in: sheet.bundleID, text: sheet.text)
    }

    /// Whether the action has to wait for the owner, who is asked then (rule 13).
    ///
    /// "When the user selects an action with this option, the system prompts the user to unlock the device":
    /// [authenticationRequired](https://developer.apple.com/documentation/usernotifications/unnotificationactionoptions/authenticationrequired).
    func mustAuthenticate(
        for action: UNNotificationAction, on notificationID: String, in bundleID: String, text: String?
    ) async -> Bool {
        guard action.options.contains(.authenticationRequired), isLocked, rules.keeps(.authenticationNeedsUnlock)
        else { return false }
        guard protection.hasPasscode else {
            // Nobody can be asked for what was never set.
            await unlock()
            return false
        }
        authenticationSheet = AuthenticationSheet(
            bundleID: bundleID, notificationID: notificationID, actionID: action.identifier,
            actionTitle: action.title, method: screen.safeAreaBottom > 0 ? .faceID : .touchID, text: text)
        changed(.screen)
        return true
    }

    func closeAuthenticationSheet() {
        guard authenticationSheet != nil else { return }
        authenticationSheet = nil
        changed(.screen)
    }

    /// Closes the sheet whose notification has gone meanwhile.
    func closeAuthenticationSheet(ofAnyIn identifiers: [String]?, of bundleID: String) {
        guard let sheet = authenticationSheet, sheet.bundleID == bundleID,
            identifiers?.contains(sheet.notificationID) ?? true
        else { return }
        closeAuthenticationSheet()
    }
}
