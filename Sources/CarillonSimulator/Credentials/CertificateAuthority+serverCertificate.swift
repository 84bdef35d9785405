import Foundation
import NIOSSL
import SwiftASN1
import X509

extension CertificateAuthority {
    /// Issues the certificate of the simulated APNs host.
    ///
    /// The certificate is valid for `localhost`, the loopback addresses, `host` and `hostNames`.
    func issueServerCertificate(host: String, hostNames: [String]) throws -> IssuedCertificate {
        var names: [GeneralName] = []
        for text in ["localhost", "127.0.0.1", "::1"] + hostNames + [host] {
            let name = Self.subjectName(text)
            if !names.contains(name) { names.append(name) }
        }
        return try issue(
            commonName: "Carillon APNs Simulator", usage: .serverAuth,
            further: [try Certificate.Extension(SubjectAlternativeNames(names), critical: false)])
    }

    /// Returns a host's name for a certificate: an address as its bytes ([RFC 5280
    /// §4.2.1.6](https://www.rfc-editor.org/rfc/rfc5280#section-4.2.1.6)), and all else as a DNS name.
    private static func subjectName(_ host: String) -> GeneralName {
        for (family, byteCount) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: byteCount)
            if inet_pton(family, host, &bytes) == 1 { return .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
        }
        return .dnsName(host)
    }
}

extension TLSConfiguration {
    /// Makes a TLS configuration like APNs': version 1.2 or later, ALPN `h2`, and an optional client certificate.
    static func simulator(identity: IssuedCertificate) throws -> TLSConfiguration {
        let chain = try NIOSSLCertificate.fromPEMBytes(Array(identity.certificatePEM.utf8))
        let key = try NIOSSLPrivateKey(bytes: Array(identity.privateKeyPEM.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["h2"]
        // TLS requests a certificate. An invalid one is reported in answers (BadCertificate), not by a TLS alert.
        configuration.certificateVerification = .optionalVerification
        return configuration
    }
}
