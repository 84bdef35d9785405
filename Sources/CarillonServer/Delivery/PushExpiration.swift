import CarillonCore

/// For how long APNs keeps a push for a device that cannot be reached.
package enum PushExpiration: Sendable, Hashable {
    /// No header: as long as APNs sees fit, at most 30 days. That is not the same as 0.
    case unspecified
    /// `0`: not at all.
    case oneAttempt
    /// Until that moment.
    case at(Timestamp)
}
