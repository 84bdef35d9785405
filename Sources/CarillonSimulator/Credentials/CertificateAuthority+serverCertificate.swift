import NIOSSL
import SwiftASN1
import X509

extension CertificateAuthority {
    /// Issues the certificate of the simulated APNs host.
    ///
    /// The certificate is valid for `localhost`, the loopback addresses, `host` and `hostNames`.
    func issueServerCertificate(host: String, hostNames: [String]) throws -> IssuedCertificate {
        var names: [GeneralName] = (["localhost"] + hostNames).map { .dnsName($0) }
        let addresses: [[UInt8]] = [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]]
        names += addresses.map { .ipAddress(ASN1OctetString(contentBytes: $0[...])) }
        let octets = host.split(separator: ".").compactMap { UInt8($0) }
        if octets.count == 4, !addresses.contains(octets) {
            names.append(.ipAddress(ASN1OctetString(contentBytes: octets[...])))
        } else if octets.isEmpty, host != "localhost" {
            names.append(.dnsName(host))
        }
        return try issue(
            commonName: "Carillon APNs Simulator", usage: .serverAuth,
            further: [try Certificate.Extension(SubjectAlternativeNames(names), critical: false)])
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
