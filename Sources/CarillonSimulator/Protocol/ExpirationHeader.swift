import CarillonCore

/// The three meanings of `apns-expiration`
/// ([Sending notification requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns)).
public enum ExpirationHeader: Sendable, Hashable {
    /// The header was absent: kept as long as APNs keeps anything.
    case unspecified
    /// 0: one attempt, not stored.
    case oneAttempt
    /// Kept until then, to the second, though no longer than 30 days.
    case at(Timestamp)
}
