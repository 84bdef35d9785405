import CarillonCore

/// The three meanings of `apns-expiration` ([Sending notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
public enum ExpirationHeader: Sendable, Hashable {
    /// The header was absent.
    ///
    /// APNs stores the push for the longest time, 30 days.
    case unspecified
    /// The header was 0.
    ///
    /// APNs makes one attempt and does not store the push.
    case oneAttempt
    /// APNs stores the push until this time, in whole seconds, but no longer than 30 days.
    case at(Timestamp)
}
