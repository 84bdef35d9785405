/// The keys and the certificate, in PEM, that give a simulator an unchanged identity after a restart.
public struct SimulatorCredentials: Sendable, Hashable {
    /// The private key that senders sign with: the contents of `AuthKey_<key id>.p8`.
    public var signingKeyPEM: String
    /// The certificate authority that senders trust: ``APNsSimulator/caCertificatePEM`` of the earlier start.
    public var caCertificatePEM: String
    /// The authority's private key: ``APNsSimulator/caPrivateKeyPEM`` of the earlier start.
    public var caPrivateKeyPEM: String

    /// Makes credentials from the values of an earlier start.
    public init(signingKeyPEM: String, caCertificatePEM: String, caPrivateKeyPEM: String) {
        self.signingKeyPEM = signingKeyPEM
        self.caCertificatePEM = caCertificatePEM
        self.caPrivateKeyPEM = caPrivateKeyPEM
    }
}
