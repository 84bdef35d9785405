import CarillonCore

/// Decides when a client warns that its certificate expires: once a day in the last 30 days, and after the expiry.
struct CertificateExpiryWarning: Sendable {
    private let certificate: APNsCertificate?
    private var lastSaid: Timestamp?

    /// Starts to watch the expiry of a certificate.
    ///
    /// - Parameter certificate: the certificate; `nil` for a signing key, which does not expire.
    init(_ certificate: APNsCertificate?) { self.certificate = certificate }

    /// Returns the warning that is due now; `nil` if no warning is due.
    ///
    /// - Parameter now: the time of the wall clock. Setting the clock back does not silence the warning.
    /// - Returns: a sentence for the log; `nil` if no warning is due, or if a warning was returned within the last day.
    mutating func warning(at now: Timestamp) -> String? {
        if let lastSaid, now >= lastSaid, now < lastSaid + ClientLimits.certificateWarningInterval { return nil }
        guard let warning = certificate?.warning(at: now) else { return nil }
        lastSaid = now
        return warning
    }

    /// The time until the next check; `nil` if there is no certificate.
    var interval: Duration? { certificate == nil ? nil : ClientLimits.certificateWarningInterval }
}
