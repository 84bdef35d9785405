/// A certificate with its private key, both in PEM.
public struct IssuedCertificate: Sendable, Hashable {
    /// The certificate.
    public let certificatePEM: String
    /// Its private key, unencrypted.
    public let privateKeyPEM: String
}
