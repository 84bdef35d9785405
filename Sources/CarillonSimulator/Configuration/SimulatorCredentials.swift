/// The keys and the certificate, in PEM, that give a simulator an unchanged identity after a restart.
public struct SimulatorCredentials: Sendable, Hashable {
    /// The private key that senders sign with: the contents of `AuthKey_<key id>.p8`.
    public var signingKeyPEM: String
    /// The certificate of the authority that senders already trust: the value of ``APNsSimulator/caCertificatePEM`` in an earlier
    /// run of the simulator.
    public var caCertificatePEM: String
    /// The private key of the certificate authority: the value of ``APNsSimulator/caPrivateKeyPEM`` in an earlier run of the
    /// simulator.
    public var caPrivateKeyPEM: String

    /// Makes credentials from the values of an earlier run of the simulator.
    public init(signingKeyPEM: String, caCertificatePEM: String, caPrivateKeyPEM: String) {
        self.signingKeyPEM = signingKeyPEM
        self.caCertificatePEM = caCertificatePEM
        self.caPrivateKeyPEM = caPrivateKeyPEM
    }
}
