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
        /// The awaited state was not reached within the limit, which is real time.
        case timedOut
        /// The push's trace entry is no longer kept.
        case notSettled
        /// The screen has nothing to touch or show.
        case noView
        /// APNs would refuse the payload, or no phone could read it.
        case unusablePayload
        /// No app on the phone opens the link or continues the activity.
        case unknownLink
        /// There is no such call.
        case noCall
        /// The action's value does not contain everything that the action needs.
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
