import Foundation

extension NSString {
    /// Returns a text that is looked up in the app's strings when the notification is shown.
    ///
    /// Differs from iOS: looked up at once, in the strings of the running app's bundle on the phone; the key itself
    /// where there is none.
    public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
        SimulatedDevices.currentProcess?.localized(key: key, arguments: (arguments ?? []).map { "\($0)" }) ?? key
    }
}
