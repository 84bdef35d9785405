import Crypto
import Foundation
import SwiftASN1
import X509

/// A host, the certificate that a server shows for it, and whether a client may talk to that server.
package struct ServerCertificateCase: Sendable, CustomStringConvertible {
    /// The name of the case.
    package let description: String
    /// The host that a client asks for.
    package let host: String
    /// Whether a client may talk to the server: curl's verdict.
    package let isAccepted: Bool
    /// A part of the sentence with which the APNs client refuses it.
    package let why: String
    /// Makes the server's certificate.
    package let issue: @Sendable (TestAuthority) throws -> TestAuthority.Issued

    private init(
        _ description: String, host: String = "apns.test", isAccepted: Bool, why: String = "another host name",
        issue: @escaping @Sendable (TestAuthority) throws -> TestAuthority.Issued
    ) {
        (self.description, self.host, self.isAccepted, self.why, self.issue) = (
            description, host, isAccepted, why, issue
        )
    }

    private static func named(
        _ title: String, host: String = "apns.test", _ isAccepted: Bool, names: [String] = [], addresses: [String] = [],
        commonName: String = "server"
    ) -> Self {
        Self(title, host: host, isAccepted: isAccepted) { authority in
            let alternatives =
                names.map { GeneralName.dnsName($0) }
                + addresses.map { .ipAddress(ASN1OctetString(contentBytes: bytes(of: $0)[...])) }
            return try authority.issue(
                to: try DistinguishedName { CommonName(commonName) }, alternatives: alternatives)
        }
    }

    package static let all: [Self] = [
        named("its name", true, names: ["apns.test"]),
        named("its name among others", true, names: ["other.test", "apns.test"]),
        named("its name in capitals", true, names: ["APNS.Test"]),
        named("another name", false, names: ["other.test"]),
        named("a name that begins alike", false, names: ["apns.test.example"]),
        named("a name that ends alike", false, names: ["x-apns.test"]),
        named("the server's address for a name", false, addresses: ["127.0.0.1"]),
        named("the server's address beside another name", false, names: ["other.test"], addresses: ["127.0.0.1"]),
        named("an address", host: "127.0.0.1", true, addresses: ["127.0.0.1"]),
        named("another address", host: "127.0.0.1", false, addresses: ["127.0.0.2"]),
        named("a name for an address", host: "127.0.0.1", false, names: ["127.0.0.1"]),
        named("an address of version 6", host: "::1", true, addresses: ["::1"]),
        named("another address of version 6", host: "::1", false, addresses: ["::2"]),
        named("a wildcard for one label", host: "api.push.test", true, names: ["*.push.test"]),
        named("a wildcard for two labels", host: "a.api.push.test", false, names: ["*.push.test"]),
        named("a wildcard for no label", host: "push.test", false, names: ["*.push.test"]),
        named("a wildcard below a top-level domain", false, names: ["*.test"]),
        named("a wildcard alone", false, names: ["*"]),
        named("a wildcard in a label", host: "api.push.test", false, names: ["a*.push.test"]),
        named("a wildcard that is not first", host: "api.push.test", false, names: ["api.*.test"]),
        named("a wildcard for an address", host: "127.0.0.1", false, names: ["*.0.0.1"]),
        named("a name beyond ASCII", host: "xn--bcher-kva.test", true, names: ["xn--bcher-kva.test"]),
        named("a host with a trailing dot", host: "apns.test.", true, names: ["apns.test"]),
        named("a name with a trailing dot", true, names: ["apns.test."]),
        named("a name with an underscore", host: "my_apns.test", true, names: ["my_apns.test"]),
        named("a common name and no alternative", true, commonName: "apns.test"),
        named("a common name beside another name", false, names: ["other.test"], commonName: "apns.test"),
        named("a common name beside an address", false, addresses: ["127.0.0.1"], commonName: "apns.test"),
        Self("an empty subject", isAccepted: true) {
            try $0.issue(to: DistinguishedName(), alternatives: [.dnsName("apns.test")])
        },
        Self("a common name beside a mail address", isAccepted: true) {
            try $0.issue(
                to: try DistinguishedName { CommonName("apns.test") }, alternatives: [.rfc822Name("a@apns.test")])
        },
        Self("an expired certificate", isAccepted: false, why: "ended on 2024-01-01") {
            try $0.issue(to: server, alternatives: right, until: Date(timeIntervalSince1970: 1_704_067_200))
        },
        Self("one that is not valid yet", isAccepted: false, why: "not valid before 2096") {
            try $0.issue(to: server, alternatives: right, from: Date(timeIntervalSince1970: 3_999_000_000))
        },
        Self("one for clients", isAccepted: false, why: "is not for servers") {
            try $0.issue(
                to: server, alternatives: right,
                extensions: [Certificate.Extension(try ExtendedKeyUsage([.clientAuth]), critical: true)])
        },
        Self("one that signs itself", isAccepted: false, why: "trusted authority") { _ in
            let key = P256.Signing.PrivateKey()
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: TestAuthority.from,
                notValidAfter: TestAuthority.until, issuer: server, subject: server,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try .init { SubjectAlternativeNames(right) }, issuerPrivateKey: .init(key))
            return TestAuthority.Issued(
                certificatePEM: try certificate.serializeAsPEM().pemString, keyPEM: key.pemRepresentation)
        },
        Self(
            "a list of names that cannot be read", isAccepted: false,
            why: "names in the server's certificate cannot be read"
        ) {
            try $0.issue(
                to: server,
                extensions: [
                    .init(oid: .X509ExtensionID.subjectAlternativeName, critical: false, value: [0x30, 2, 2, 9])
                ])
        },
        Self("another authority's", isAccepted: false, why: "trusted authority") { _ in
            try TestAuthority(name: "Stranger").issue(to: server, alternatives: right)
        },
        Self("without the intermediate's", isAccepted: false, why: "trusted authority") {
            try TestAuthority(name: "Intermediate", below: $0).issue(to: server, alternatives: right)
        },
        Self("with the intermediate's", isAccepted: true) {
            let intermediate = try TestAuthority(name: "Intermediate", below: $0)
            let issued = try intermediate.issue(to: server, alternatives: right)
            return TestAuthority.Issued(
                certificatePEM: issued.certificatePEM + "\n" + intermediate.pem, keyPEM: issued.keyPEM)
        },
    ]

    private static let right = [GeneralName.dnsName("apns.test")]
    private static var server: DistinguishedName { get throws { try DistinguishedName { CommonName("server") } } }

    private static func bytes(of address: String) -> [UInt8] {
        guard address.contains(":") else { return address.split(separator: ".").compactMap { UInt8($0) } }
        return [UInt8](repeating: 0, count: 15) + [UInt8(address.split(separator: ":").last ?? "") ?? 0]
    }
}
