/// The certificate authorities that the client trusts to sign APNs' certificate.
///
/// The client always verifies the server's host name too.
public enum APNsTrustRoots: Sendable, Hashable {
    /// The certificate authorities of the operating system.
    case system
    /// Only these certificate authorities: one or more certificates in PEM, such as the simulator's.
    case pem(String)
}
