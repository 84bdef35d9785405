import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority of a test's own.
struct TestAuthority {
    struct Issued {
        let certificatePEM: String
        let keyPEM: String
    }

    let pem: String
    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName

    init() throws {
        name = try DistinguishedName { CommonName("Carillon test authority") }
        let key = Certificate.PrivateKey(key)
        pem = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey, notValidBefore: Self.from,
            notValidAfter: Self.until, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try .init { Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil)) },
            issuerPrivateKey: key
        ).serializeAsPEM().pemString
    }

    /// A certificate for a server with these names and addresses.
    func server(names: [String] = [], addresses: [String] = []) throws -> Issued {
        let alternatives: [GeneralName] =
            names.map { .dnsName($0) }
            + addresses.map { .ipAddress(ASN1OctetString(contentBytes: Self.bytes(ofIPv4: $0)[...])) }
        return try issue(to: try DistinguishedName { CommonName("server") }, alternatives: alternatives)
    }

    func issue(
        to subject: DistinguishedName, alternatives: [GeneralName] = [],
        extensions: [Certificate.Extension] = []
    ) throws -> Issued {
        let leaf = P256.Signing.PrivateKey()
        var all = try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) }
        if !alternatives.isEmpty { try all.append(.init(SubjectAlternativeNames(alternatives), critical: false)) }
        for one in extensions { try all.append(one) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(leaf.publicKey), notValidBefore: Self.from,
            notValidAfter: Self.until, issuer: name, subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: all, issuerPrivateKey: .init(key))
        return Issued(
            certificatePEM: try certificate.serializeAsPEM().pemString, keyPEM: leaf.pemRepresentation)
    }

    private static let from = Date(timeIntervalSince1970: 1_700_000_000)
    private static let until = Date(timeIntervalSince1970: 4_000_000_000)

    private static func bytes(ofIPv4 text: String) -> [UInt8] { text.split(separator: ".").compactMap { UInt8($0) } }
}
