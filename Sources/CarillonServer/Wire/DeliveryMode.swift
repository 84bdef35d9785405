/// The way in which a message reaches the phone.
package enum DeliveryMode: String, Sendable, Hashable, CaseIterable, Codable {
    /// An alert push, which iOS shows even after a force-quit; recall and expiry act afterwards.
    ///
    /// This is the default.
    case visible
    /// A background push from which the SDK makes the notification.
    ///
    /// The SDK can veto it on arrival (expired, recalled, read). It is lost if the app may not run.
    case silent
    /// A `silent` push first; a visible push with the message's id follows if no `shown` receipt comes in time.
    case assured
}
