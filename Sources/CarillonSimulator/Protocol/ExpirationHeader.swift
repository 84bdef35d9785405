import CarillonCore

/// The three meanings of `apns-expiration`
/// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
public enum ExpirationHeader: Sendable, Hashable {
    /// The header was absent: APNs keeps the push as long as it keeps any.
    case unspecified
    /// The header was 0: one attempt, not stored.
    case oneAttempt
    /// The push is kept until this time, to the second, though no longer than 30 days.
    case at(Timestamp)
}
