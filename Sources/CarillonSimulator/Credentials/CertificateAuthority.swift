import Crypto
import Foundation
import SwiftASN1
import X509

/// The certificate authority that issues the simulator's certificates.
///
/// Senders should trust this authority only to connect to the simulator.
struct CertificateAuthority: Sendable {
    let certificate: Certificate
    let privateKey: Certificate.PrivateKey

    /// The period in which an issued certificate is valid, unless it has an end of its own.
    ///
    /// Certificates are checked against the machine's clock, not the simulator's clock. The period, from 2020 to 2049, covers any
    /// day on which a test may run.
    static let validity: ClosedRange<Date> =
        Date(timeIntervalSince1970: 1_577_836_800)...Date(timeIntervalSince1970: 2_524_607_999)

    /// Makes a certificate authority with a new private key.
    init() throws {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName {
            CommonName("Carillon APNs Simulator CA")
            OrganizationName("Carillon")
        }
        privateKey = key
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Self.validity.lowerBound, notValidAfter: Self.validity.upperBound, issuer: name,
            subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: key.publicKey)
            }, issuerPrivateKey: key)
    }

    /// Restores the authority that an earlier run made, from its certificate and its private key, both in PEM.
    init(certificatePEM: String, privateKeyPEM: String) throws {
        certificate = try Certificate(pemEncoded: certificatePEM)
        privateKey = try Certificate.PrivateKey(pemEncoded: privateKeyPEM)
    }

    /// Issues a certificate with a new key, both in PEM.
    ///
    /// - Parameters:
    ///   - commonName: the common name of the certificate's subject.
    ///   - usage: the certificate's only extended key usage.
    ///   - subjectUID: the user ID of the subject; without it, the subject has none.
    ///   - end: the end of the certificate's validity; `nil`, the default, for the end of ``validity``.
    ///   - further: extensions to add to those of every certificate.
    /// - Returns: the certificate and its key.
    /// - Throws: an error if the certificate cannot be made.
    func issue(
        commonName: String, usage: ExtendedKeyUsage.Usage, subjectUID: String? = nil,
        end: Date? = nil, further: [Certificate.Extension] = []
    ) throws -> IssuedCertificate {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        var attributes = try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Carillon")
        }.map { $0 }
        if let subjectUID {
            let uid = RelativeDistinguishedName.Attribute(type: AppleOID.userID, utf8String: subjectUID)
            attributes.insert(RelativeDistinguishedName(uid), at: 0)
        }
        let common = try Certificate.Extensions {
            Critical(KeyUsage(digitalSignature: true))
            try ExtendedKeyUsage([usage])
            SubjectKeyIdentifier(hash: key.publicKey)
            // Distinguishes this authority from another simulator's authority with an equal name (RFC 5280, 4.2.1.1).
            AuthorityKeyIdentifier(
                keyIdentifier: SubjectKeyIdentifier(hash: privateKey.publicKey).keyIdentifier)
        }
        let issued = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: key.publicKey,
            notValidBefore: Self.validity.lowerBound, notValidAfter: end ?? Self.validity.upperBound,
            issuer: certificate.subject, subject: DistinguishedName(attributes),
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions(Array(common) + further), issuerPrivateKey: privateKey)
        return IssuedCertificate(
            certificatePEM: try issued.serializeAsPEM().pemString, privateKeyPEM: try key.serializeAsPEM().pemString)
    }
}
