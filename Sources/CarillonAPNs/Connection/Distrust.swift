import CarillonCore
import X509

/// The reason why a server is not trusted to be APNs.
enum Distrust: Sendable, Hashable {
    /// The server's certificate is not signed by an authority that the client trusts.
    case authority
    /// The server's certificate is for another host.
    case hostName
    /// The server's certificate has expired.
    case expired
    /// The server's certificate is not valid yet.
    case notYetValid
    /// The extended key usage of the server's certificate does not include servers.
    case notForServers
    /// The server's certificate, or the list of its names, cannot be read.
    case unreadable

    /// A sentence for the error message that says how to correct the problem.
    var advice: String {
        switch self {
        case .authority: "Set trustRoots to the certificate of the authority that signed the server's."
        case .hostName: "Use the host name that the certificate is for."
        case .expired:
            "Check this machine's clock with 'date -u'; if it is right, the server needs a new certificate."
        case .notYetValid:
            "Check this machine's clock with 'date -u'; if it is right, wait until the certificate begins."
        case .notForServers: "The server needs a certificate whose extended key usage has serverAuth."
        case .unreadable: "The server needs another certificate: 'openssl s_client -connect HOST:PORT' shows it."
        }
    }

    /// Finds the reason why BoringSSL refused a certificate chain, because BoringSSL itself reports no reason.
    ///
    /// - Parameters:
    ///   - certificate: the server's certificate; `nil` if it cannot be read.
    ///   - now: the present time.
    /// - Returns: the reason, and a sentence, without a full stop, that describes it.
    static func reason(for certificate: Certificate?, at now: Timestamp) -> (Distrust, String) {
        guard let certificate else { return (.unreadable, "the server's certificate cannot be read") }
        let (first, last) = (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
        guard now <= last else { return (.expired, "the server's certificate ended on \(last)") }
        guard now >= first else { return (.notYetValid, "the server's certificate is not valid before \(first)") }
        guard PeerName.hasReadableNames(certificate) else { return (.unreadable, unreadableNames) }
        if let usage = try? certificate.extensions.extendedKeyUsage, !usage.contains(.serverAuth), !usage.contains(.any)
        {
            return (.notForServers, "the server's certificate is not for servers")
        }
        return (.authority, "the server's certificate is not signed by a trusted authority")
    }

    static let unreadableNames = "the names in the server's certificate cannot be read"
}
