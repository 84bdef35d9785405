import CarillonCore
import Foundation
import SwiftASN1
import X509

/// The rights that a sender's TLS certificate proves.
///
/// See [Establishing a certificate-based
/// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns)
struct ClientCertificate: Sendable, Hashable {
    /// The exact topics: the subject's UID, and the topics in Apple's extension.
    var topics: Set<String>
    var defaultTopic: String?
    var environments: Set<APNsEnvironment>
    /// Whether an authority that the simulator trusts issued the certificate.
    var isTrusted: Bool
    var validity: ClosedRange<Timestamp>

    func identify(in environment: APNsEnvironment, at now: Timestamp) throws(Rejection) -> SenderIdentity {
        guard isTrusted else {
            throw Rejection(
                .badCertificate, by: .credential, detail: "the client certificate was not issued by a trusted authority"
            )
        }
        guard validity.contains(now) else {
            throw Rejection(
                .badCertificate, by: .credential, detail: "the client certificate is not valid at this time")
        }
        guard environments.contains(environment) else {
            throw Rejection(
                .badCertificateEnvironment, by: .credential,
                detail: "the client certificate is not for the environment \(environment.rawValue)")
        }
        return SenderIdentity(topics: topics, isCertificate: true, defaultTopic: defaultTopic)
    }
}
