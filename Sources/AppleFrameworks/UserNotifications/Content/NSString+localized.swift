import Foundation

extension NSString {
    /// Returns a localized text for a notification, looked up when the notification is shown.
    ///
    /// Differs from iOS: looked up at once, in the strings of the running app's bundle on the phone; the key itself where there
    /// is none.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        SimulatedDevices.currentProcess?.localized(key: key, arguments: (arguments ?? []).map { "\($0)" }) ?? key
    }
}
