import CarillonCore

/// `apns-expiration`: the time until which APNs tries to deliver; absent, zero and a time have three different meanings.
public enum APNsExpiration: Sendable, Hashable {
    /// The header is absent: APNs stores the push for as long as it sees fit (at most 30 days).
    case unspecified
    /// `0`: one attempt; a device that cannot be reached now never gets it.
    case oneAttempt
    /// Stored until this time, to the second.
    ///
    /// A time before 1970-01-01T00:00:01Z is refused: the header would mean ``oneAttempt``, or would be no number.
    case at(Timestamp)
}
