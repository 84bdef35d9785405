@_spi(Simulation) import UserNotifications

/// Notification actions that require an unlocked phone, and the person's answer when the phone asks for Face ID or Touch ID.
extension Person {
    /// Answers the sheet that asks for Face ID or Touch ID.
    ///
    /// If the phone recognises its owner, it is unlocked and the chosen action is carried out.
    ///
    /// - Parameter isOwner: whether the phone recognises its owner.
    /// - Throws: ``PhoneError`` (`noAuthenticationSheet`) if no such sheet is on the screen.
    func authenticate(_ isOwner: Bool) async throws {
        guard let sheet = screen.authenticationSheet else {
            throw PhoneError(
                .noAuthenticationSheet,
                "\(device.name) does not ask for Face ID: choose an action that needs it while the phone is locked.")
        }
        screen.closeAuthenticationSheet()
        guard isOwner else { return }
        await unlock()
        try await choose(sheet.actionID, on: sheet.notificationID, in: sheet.bundleID, text: sheet.text)
    }

    /// Returns whether the action must wait until the owner has authenticated; if so, shows the sheet that asks for it.
    ///
    /// "When the user selects an action with this option, the system prompts the user to unlock the device":
    /// [authenticationRequired](https://developer.apple.com/documentation/usernotifications/unnotificationactionoptions/authenticationrequired).
    func mustAuthenticate(
        for action: UNNotificationAction, on notificationID: String, in bundleID: String, text: String?
    ) async -> Bool {
        guard action.options.contains(.authenticationRequired), device.isLocked,
            kernel.rules.keeps(.authenticationNeedsUnlock)
        else { return false }
        guard device.protection.hasPasscode else {
            // A phone without a passcode needs no authentication.
            await unlock()
            return false
        }
        screen.ask(
            AuthenticationSheet(
                bundleID: bundleID, notificationID: notificationID, actionID: action.identifier,
                actionTitle: action.title, method: screen.shape.safeAreaBottom > 0 ? .faceID : .touchID, text: text))
        return true
    }
}
