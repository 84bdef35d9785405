import Foundation

/// The methods of the phone that one app's ``UNUserNotificationCenter`` calls.
///
/// Any thread may call the methods; the phone calls every completion handler later, on the main thread.
@_spi(Simulation) public protocol NotificationCenterBackend: AnyObject, Sendable {
    func requestAuthorization(
        options: UNAuthorizationOptions, completion: @escaping @Sendable (Bool, (any Error)?) -> Void)
    func settings(completion: @escaping @Sendable (UNNotificationSettings) -> Void)
    func setCategories(_ categories: Set<UNNotificationCategory>)
    func categories(completion: @escaping @Sendable (Set<UNNotificationCategory>) -> Void)
    func add(_ request: UNNotificationRequest, completion: @escaping @Sendable ((any Error)?) -> Void)
    func pendingRequests(completion: @escaping @Sendable ([UNNotificationRequest]) -> Void)
    /// Removes pending requests.
    ///
    /// - Parameter identifiers: the identifiers of the requests; `nil` means all.
    func removePending(identifiers: [String]?)
    func deliveredNotifications(completion: @escaping @Sendable ([UNNotification]) -> Void)
    /// Removes delivered notifications.
    ///
    /// - Parameter identifiers: the identifiers of the notifications; `nil` means all.
    func removeDelivered(identifiers: [String]?)
    func setBadgeCount(_ count: Int, completion: @escaping @Sendable ((any Error)?) -> Void)
}
