import NIOCore
import NIOSSL

/// Makes TLS contexts as APNs requires: version 1.2 or later, `h2`, and a verified server certificate and host name.
///
/// See [Sending notification
/// requests](https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns).
enum TLSContext {
    static func make(_ configuration: APNsConfiguration) throws(APNsError) -> NIOSSLContext {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["h2"]
        // Verifies only the chain. NegotiationHandler compares the name, because NIOSSL accepts an address in place of a name.
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = try roots(configuration.trustRoots)
        if case .certificate(let certificate) = configuration.credential {
            tls.certificateChain = certificate.chain.map { .certificate($0) }
            tls.privateKey = .privateKey(certificate.privateKey)
        }
        do {
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw .invalidConfiguration(
                "TLS cannot be set up: \(error).", advice: "Check the trust roots and the credential.")
        }
    }

    private static func roots(_ roots: APNsTrustRoots) throws(APNsError) -> NIOSSLTrustRoots {
        guard case .pem(let text) = roots else { return .default }
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(Array(PEMText(text).strict.utf8)),
            !certificates.isEmpty
        else {
            throw .invalidConfiguration(
                "The trust roots are not certificates in PEM.",
                advice: "They begin with -----BEGIN CERTIFICATE-----; the simulator writes its own to ca.pem.")
        }
        return .certificates(certificates)
    }
}
