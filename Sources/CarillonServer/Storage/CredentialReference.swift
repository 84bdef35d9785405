/// Where an app's credential for APNs is: in which file, never the credential itself.
package enum CredentialReference: Sendable, Hashable {
    /// A signing key (`AuthKey_….p8`) and its two ids.
    case signingKey(path: String, keyID: String, teamID: String)
    /// A certificate with its private key, as `.p12` or PEM.
    case certificate(path: String)

    package var path: String {
        switch self {
        case .signingKey(let path, _, _), .certificate(let path): path
        }
    }
}
