/// An action that the phone cannot perform at this moment.
public struct PhoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why the action is impossible.
    public enum Code: String, Sendable, Hashable {
        /// No app with this bundle ID is installed.
        case unknownApp
        /// The app shows no notification with this identifier.
        case unknownNotification
        /// The notification has no action with this identifier.
        case unknownAction
        case noPermissionSheet, noAuthenticationSheet, phoneOff, phoneLocked
        /// The awaited state did not come within the limit, which is real time.
        case timedOut
        /// The entry of a push is no longer among the traces.
        case notSettled
        /// The screen has nothing that could be touched or shown.
        case noView
        /// APNs would refuse the payload, or no phone could read it.
        case unusablePayload
        /// No app on the phone opens the link or continues the activity.
        case unknownLink
        /// The call does not exist.
        case noCall
        /// The value of an action does not say enough to do it.
        case noValue
    }

    /// The reason, for a program.
    public let code: Code
    /// The reason and the remedy, as a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
