/// The way in which a message reaches the phone.
package enum DeliveryMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// An alert push, which iOS shows even after a force-quit.
    ///
    /// Recall and expiry take effect afterwards. This is the default.
    case visible
    /// A background push from which the SDK makes the notification.
    ///
    /// The SDK can drop it on arrival if it has expired, was recalled or was read. It is lost if iOS does not run the app.
    case silent
    /// First a `silent` push; if no `shown` receipt comes in time, a visible push with the message's id follows.
    case assured
}
