/// An error of an action that the phone cannot perform, or of a wait that has taken too long.
public struct PhoneError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure.
    public enum Code: String, Sendable, Hashable {
        /// No app with this bundle ID is installed.
        case unknownApp
        /// The app shows no notification with this identifier.
        case unknownNotification
        /// The notification has no action with this identifier.
        case unknownAction
        case noPermissionSheet, noAuthenticationSheet, phoneOff, phoneLocked
        /// The phone has not reached the awaited state within the time limit, in real time.
        case timedOut
        /// The phone no longer keeps the trace of a test's push, because it keeps only the newest traces; or something on its
        /// clock is due again and again although no time passes.
        case notSettled
        /// The view, app or scene that the action needs is not on the screen, or a sheet covers it.
        case noView
        /// APNs would refuse the payload, or no phone could read it.
        case unusablePayload
        /// No app on the phone opens the link or continues the activity.
        case unknownLink
        /// The phone has no call with this ID, or the call is not in the state that the action needs.
        case noCall
        /// The app has no Live Activity with this ID on the lock screen.
        case noActivity
        /// The app offers no such widget or control, or the person has added none with this identifier.
        case noWidget
        /// The ``PhoneAction`` lacks something that the action needs, such as a test's code.
        case noValue
    }

    /// The kind of failure, for use in code.
    public let code: Code
    /// A text that gives the reason and the remedy.
    public let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
