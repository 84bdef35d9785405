/// The certificate authorities that the client trusts to vouch for APNs' server.
///
/// The client verifies the server's host name in either case.
public enum APNsTrustRoots: Sendable, Hashable {
    /// The certificate authorities of the operating system.
    case system
    /// These certificate authorities and no others: one or more certificates in PEM, for instance the simulator's.
    case pem(String)
}
