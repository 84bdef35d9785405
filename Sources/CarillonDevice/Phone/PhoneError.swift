/// What cannot be done with the phone at this moment.
public struct PhoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is in the way.
    public enum Code: String, Sendable, Hashable {
        /// No app with this bundle ID is installed.
        case unknownApp
        /// The app shows no notification with this identifier.
        case unknownNotification
        /// The notification has no action with this identifier.
        case unknownAction
        case noPermissionSheet, noAuthenticationSheet, phoneOff, phoneLocked
        /// What was waited for did not come within the limit, which is real time.
        case timedOut
        /// The entry of a push is no longer among the traces.
        case notSettled
        /// There is nothing on the screen that could be touched or shown.
        case noView
        /// APNs would refuse the payload, or no phone could read it.
        case unusablePayload
        /// No app on the phone opens the link or continues the activity.
        case unknownLink
        /// There is no such call.
        case noCall
        /// The value of an action does not say enough to do it.
        case noValue
    }

    /// What is in the way, for a program.
    public let code: Code
    /// What is in the way and what to do, as a sentence.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
