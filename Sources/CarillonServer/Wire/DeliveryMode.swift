/// The way in which a message reaches the phone.
package enum DeliveryMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// An alert push, which iOS shows even after the person has force-quit the app.
    ///
    /// A recall or an expiry can remove the message only after it was on the screen. This is the default.
    case visible
    /// A background push from which the SDK makes the notification (a silent push).
    ///
    /// The SDK drops the message on arrival if it has expired, was recalled or was read. The push is lost if iOS does not run the
    /// app.
    case silent
    /// A silent push, followed by a visible push with the message's id if no `shown` receipt comes in time.
    case assured
}
