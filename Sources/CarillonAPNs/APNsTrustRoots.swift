/// Which certificate authorities the client trusts to say that a server is APNs.
///
/// The server's host name is verified in either case.
public enum APNsTrustRoots: Sendable, Hashable {
    /// The certificate authorities of the operating system.
    case system
    /// These certificate authorities and no others: one or more certificates in PEM, for instance the simulator's.
    case pem(String)
}
