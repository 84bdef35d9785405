import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority of a test's own.
package struct TestAuthority: Sendable {
    /// A certificate with its key.
    package struct Issued: Sendable {
        package let certificatePEM: String
        package let keyPEM: String

        package init(certificatePEM: String, keyPEM: String) {
            self.certificatePEM = certificatePEM
            self.keyPEM = keyPEM
        }
    }

    package let pem: String
    private let key: P256.Signing.PrivateKey
    private let name: DistinguishedName

    /// - Parameter name: the authority's common name.
    package init(name: String = "Carillon test authority") throws {
        self.name = try DistinguishedName { CommonName(name) }
        key = P256.Signing.PrivateKey()
        let key = Certificate.PrivateKey(key)
        pem = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey, notValidBefore: Self.from,
            notValidAfter: Self.until, issuer: self.name, subject: self.name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Self.ofAuthorities, issuerPrivateKey: key
        ).serializeAsPEM().pemString
    }

    /// An authority below another one, by which its certificate is signed.
    package init(name: String, below parent: TestAuthority) throws {
        self.name = try DistinguishedName { CommonName(name) }
        key = P256.Signing.PrivateKey()
        pem = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: Certificate.PrivateKey(key).publicKey,
            notValidBefore: Self.from, notValidAfter: Self.until, issuer: parent.name, subject: self.name,
            signatureAlgorithm: .ecdsaWithSHA256, extensions: try Self.ofAuthorities,
            issuerPrivateKey: .init(parent.key)
        ).serializeAsPEM().pemString
    }

    private static var ofAuthorities: Certificate.Extensions {
        get throws { try .init { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) } }
    }

    /// A certificate for a server with these names and addresses.
    package func server(names: [String] = [], addresses: [String] = []) throws -> Issued {
        let alternatives: [GeneralName] =
            names.map { .dnsName($0) }
            + addresses.map { .ipAddress(ASN1OctetString(contentBytes: Self.bytes(ofIPv4: $0)[...])) }
        return try issue(to: try DistinguishedName { CommonName("server") }, alternatives: alternatives)
    }

    package func issue(
        to subject: DistinguishedName, alternatives: [GeneralName] = [],
        extensions: [Certificate.Extension] = [], from: Date = Self.from, until: Date = Self.until
    ) throws -> Issued {
        let leaf = P256.Signing.PrivateKey()
        var all = try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) }
        // RFC 5280 §4.2.1.6: it is critical where the subject is empty.
        if !alternatives.isEmpty {
            try all.append(.init(SubjectAlternativeNames(alternatives), critical: subject.isEmpty))
        }
        for one in extensions { try all.append(one) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(leaf.publicKey), notValidBefore: from,
            notValidAfter: until, issuer: name, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: all, issuerPrivateKey: .init(key))
        return Issued(
            certificatePEM: try certificate.serializeAsPEM().pemString, keyPEM: leaf.pemRepresentation)
    }

    package static let from = Date(timeIntervalSince1970: 1_700_000_000)
    package static let until = Date(timeIntervalSince1970: 4_000_000_000)

    private static func bytes(ofIPv4 text: String) -> [UInt8] { text.split(separator: ".").compactMap { UInt8($0) } }
}
