import SwiftASN1
import X509

/// Reads the topics in a push certificate.
enum PushTopics {
    /// The object identifier of the attribute UID in a certificate's subject
    /// ([RFC 4519 §2.39](https://www.rfc-editor.org/rfc/rfc4519#section-2.39)).
    private static let userIDType: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    /// The object identifier of the certificate extension in which Apple lists the topics.
    private static let topicsType: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 3, 6]

    static func userID(of certificate: Certificate) -> String? {
        for name in certificate.subject {
            for attribute in name where attribute.type == userIDType { return String(attribute.value) }
        }
        return nil
    }

    /// Returns the topics that a push certificate lists in an extension of Apple; empty if it has no such extension.
    ///
    /// In the extension, each topic is followed by a sequence of its purposes:
    /// `SEQUENCE { UTF8String, SEQUENCE OF UTF8String, UTF8String, … }`.
    static func topics(of certificate: Certificate) -> [String] {
        guard let value = certificate.extensions[oid: topicsType]?.value, let root = try? DER.parse(Array(value)),
            case .constructed(let children) = root.content
        else { return [] }
        return children.compactMap { (try? ASN1UTF8String(derEncoded: $0)).map { String($0) } }
    }
}
