import CarillonCore

/// Decides when a client warns of its certificate's end: once a day in the last 30 days, and after the end.
struct CertificateWatch: Sendable {
    private let certificate: APNsCertificate?
    private var lastSaid: Timestamp?

    /// - Parameter certificate: `nil` for a signing key, which has no end.
    init(_ certificate: APNsCertificate?) { self.certificate = certificate }

    /// Returns the warning that is due now, if any.
    ///
    /// - Parameter now: the wall clock's time; a clock that was set back does not silence the warning.
    /// - Returns: a sentence for the log; `nil` when no warning is due, or it was given within the last day.
    mutating func warning(at now: Timestamp) -> String? {
        if let lastSaid, now >= lastSaid, now < lastSaid + ClientLimits.certificateWarningInterval { return nil }
        guard let warning = certificate?.warning(at: now) else { return nil }
        lastSaid = now
        return warning
    }

    /// The time until the next check; `nil` when there is no certificate to watch.
    var interval: Duration? { certificate == nil ? nil : ClientLimits.certificateWarningInterval }
}
