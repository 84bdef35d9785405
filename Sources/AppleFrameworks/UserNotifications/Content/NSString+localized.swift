import Foundation

extension NSString {
    /// Returns a localized text for a notification, looked up when the notification is shown.
    ///
    /// Differs from iOS: the text is looked up immediately, in the strings of the running app on the phone; without a
    /// translation it is the key.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        SimulatedDevices.currentProcess?.localized(key: key, arguments: (arguments ?? []).map { "\($0)" }) ?? key
    }
}
