/// The sender's means of authenticating with APNs.
public enum APNsCredential: Sendable {
    /// Token authentication: one key for all of a team's apps.
    case signingKey(APNsSigningKey)

    /// Certificate authentication: one certificate for one app.
    ///
    /// APNs does not accept the push type `location` with a certificate.
    case certificate(APNsCertificate)

    /// The certificate; `nil` for a signing key.
    var certificate: APNsCertificate? {
        if case .certificate(let certificate) = self { certificate } else { nil }
    }

    var usesTokens: Bool {
        if case .signingKey = self { true } else { false }
    }
}
