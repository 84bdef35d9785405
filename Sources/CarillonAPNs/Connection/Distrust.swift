import CarillonCore
import X509

/// The reason why a server is not trusted to be APNs.
enum Distrust: Sendable, Hashable {
    /// The certificate is not signed by a trusted authority, is not valid now, or is not for servers.
    case authority
    /// The certificate is for another host.
    case hostName

    var sentence: String {
        switch self {
        case .authority: "the server's certificate is not signed by a trusted authority"
        case .hostName: "the server's certificate is for another host name"
        }
    }

    /// Returns a sentence that explains why a certificate chain was refused.
    ///
    /// BoringSSL gives no reason.
    ///
    /// - Parameters:
    ///   - certificate: the server's certificate; `nil` if it is unknown.
    ///   - now: the present time.
    /// - Returns: a sentence without a full stop.
    static func sentence(of certificate: Certificate?, at now: Timestamp) -> String {
        guard let certificate else { return authority.sentence }
        let (first, last) = (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
        guard now <= last else { return "the server's certificate ended on \(last): is the clock right?" }
        guard now >= first else { return "the server's certificate is not valid before \(first): is the clock right?" }
        if let usage = try? certificate.extensions.extendedKeyUsage, !usage.contains(.serverAuth), !usage.contains(.any)
        {
            return "the server's certificate is not for servers"
        }
        return authority.sentence
    }
}
