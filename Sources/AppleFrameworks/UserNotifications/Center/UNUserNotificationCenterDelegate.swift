import Foundation

/// The methods that tell an app about its notifications and the person's responses.
///
/// Every method is optional: the defaults replace methods that the app has not implemented.
/// [UNUserNotificationCenterDelegate](https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate)
///
/// Implement either the completion handler variant or the async variant of a method.
///
/// Differs from iOS: a method with a wrong name or type compiles, as on iOS, but without a compiler warning. The phone does not
/// call a method that only a subclass of the conforming class implements. All calls come on the main thread.
@preconcurrency public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// Called for a notification that arrives while the app is in the foreground.
    ///
    /// The first call of the handler counts; without a call, nothing is shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions

    /// Called when the person has tapped the notification, chosen an action, or dismissed it (if its category asks for that).
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async

    /// Called when the person opens the app's own settings page from Settings or from the notification's menu.
    @available(iOS 12, *)
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}
