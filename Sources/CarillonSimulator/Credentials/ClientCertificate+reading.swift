import CarillonCore
import Foundation
import NIOSSL
import SwiftASN1
import X509

extension ClientCertificate {
    /// Reads a certificate.
    ///
    /// A certificate that cannot be parsed counts as issued by an untrusted authority.
    init(_ presented: NIOSSLCertificate, authority: Certificate) {
        guard let bytes = try? presented.toDERBytes(), let certificate = try? Certificate(derEncoded: bytes) else {
            self.init(topics: [], environments: [], isTrusted: false, validity: Self.never)
            return
        }
        let userID = certificate.subject.lazy.flatMap { $0 }.first { $0.type == AppleOID.userID }
            .flatMap { String($0.value) }
        let listed = certificate.extensions[oid: AppleOID.topics].flatMap { try? Self.topics(in: $0.value) } ?? []
        var environments: Set<APNsEnvironment> = []
        if certificate.extensions[oid: AppleOID.sandbox] != nil { environments.insert(.sandbox) }
        if certificate.extensions[oid: AppleOID.production] != nil { environments.insert(.production) }
        let (begin, end) = (Timestamp(certificate.notValidBefore), Timestamp(certificate.notValidAfter))
        self.init(
            topics: Set(listed + [userID].compactMap { $0 }),
            // If the extension lists topics, Apple demands that each request names one. With the UID alone, requests need not
            // name it.
            defaultTopic: listed.isEmpty ? userID : nil, environments: environments,
            isTrusted: authority.publicKey.isValidSignature(certificate.signature, for: certificate),
            validity: begin <= end ? begin...end : Self.never)
    }

    private static let never = Timestamp(secondsSince1970: 0)...Timestamp(secondsSince1970: 0)

    /// Returns the topics in Apple's certificate extension.
    ///
    /// In the extension's sequence, a sequence of purposes follows each topic.
    private static func topics(in value: ArraySlice<UInt8>) throws -> [String] {
        try DER.sequence(try DER.parse(value), identifier: .sequence) { nodes in
            var topics: [String] = []
            while let node = nodes.next() {
                if node.identifier == .utf8String { topics.append(String(try ASN1UTF8String(derEncoded: node))) }
            }
            return topics
        }
    }
}
