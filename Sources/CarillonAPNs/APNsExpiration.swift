import CarillonCore

/// `apns-expiration`: the time until which APNs tries to deliver a push.
///
/// An absent header, zero and a time have different meanings.
public enum APNsExpiration: Sendable, Hashable {
    /// The header is absent: APNs decides how long it stores the push, at most 30 days.
    case unspecified
    /// The header is `0`: APNs makes one attempt to deliver the push.
    ///
    /// A device that cannot be reached now never gets the push.
    case oneAttempt
    /// APNs stores the push until this time, in whole seconds.
    ///
    /// The time must be 1970-01-01T00:00:01Z or later: 0 would mean ``oneAttempt``.
    case at(Timestamp)
}
