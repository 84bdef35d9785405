/// How a message reaches the phone.
package enum DeliveryMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// An alert push: iOS shows it, even after a force-quit; recall and expiry act afterwards. The default.
    case visible
    /// A background push from which the SDK makes the notification, so that it can be vetoed on arrival (expired,
    /// recalled, read). Lost if the app may not run.
    case silent
    /// `silent` first; the visible push follows with the same id if no `shown` receipt comes in time.
    case assured
}
