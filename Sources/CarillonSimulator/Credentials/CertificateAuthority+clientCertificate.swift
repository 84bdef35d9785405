import CarillonCore
import SwiftASN1
import X509

extension CertificateAuthority {
    /// Issues a client certificate like Apple's.
    ///
    /// - Parameters:
    ///   - topics: the topics. The first topic is the subject's UID. If there are several topics, Apple's certificate extension
    ///     lists all of them.
    ///   - environments: the environments in which the certificate is valid.
    ///   - end: the end of its validity; `nil` for the end of ``validity``.
    /// - Returns: the certificate and its private key.
    /// - Throws: ``SimulatorError`` if there are no topics, or if the authority's key cannot sign.
    func issueClientCertificate(
        topics: [String], environments: Set<APNsEnvironment>, end: Timestamp?
    ) throws(SimulatorError) -> IssuedCertificate {
        guard let first = topics.first else {
            throw SimulatorError(.invalidConfiguration, "a client certificate needs a topic: pass at least one")
        }
        do {
            var extensions = environments.map { environment in
                // Only the presence of the extension matters. Its value is an ASN.1 NULL.
                Certificate.Extension(
                    oid: environment == .sandbox ? AppleOID.sandbox : AppleOID.production, critical: false,
                    value: [5, 0])
            }
            if topics.count > 1 {
                extensions.append(
                    Certificate.Extension(oid: AppleOID.topics, critical: false, value: try Self.list(topics)[...]))
            }
            return try issue(
                commonName: "Apple Push Services: \(first)", usage: .clientAuth, subjectUID: first,
                end: end?.date, further: extensions)
        } catch {
            throw SimulatorError(.invalidCredential, "no client certificate can be issued: \(error)")
        }
    }

    private static func list(_ topics: [String]) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { serializer in
            for topic in topics {
                try serializer.serialize(ASN1UTF8String(topic))
                try serializer.appendConstructedNode(identifier: .sequence) { serializer in
                    try serializer.serialize(ASN1UTF8String("app"))
                }
            }
        }
        return serializer.serializedBytes
    }
}
