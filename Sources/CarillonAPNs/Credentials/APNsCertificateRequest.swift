import CryptoExtras
import SwiftASN1
import X509

/// What Apple's developer site asks for before it makes a push certificate: a certificate signing request
/// ([RFC 2986](https://www.rfc-editor.org/rfc/rfc2986)) and the private key that stays with you.
///
/// [Establishing a certificate-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns)
public struct APNsCertificateRequest: Sendable {
    /// The request, to be uploaded: `-----BEGIN CERTIFICATE REQUEST-----`.
    public let requestPEM: String
    /// The new private key, RSA with 2048 bits as Keychain Access makes it. Whoever has it can send for the app.
    public let privateKeyPEM: String

    /// Makes a new key and signs the request with it.
    ///
    /// - Parameters:
    ///   - commonName: how the key is to be called: 1 to 64 characters. Apple puts its own name into the certificate.
    ///   - email: an address for the request's subject; Apple does not check it. `nil`: none.
    /// - Throws: ``APNsCertificateError`` for a name of the wrong length, or when no key could be made.
    public init(commonName: String, email: String? = nil) throws(APNsCertificateError) {
        guard (1...64).contains(commonName.count) else {
            throw APNsCertificateError(
                "The name has \(commonName.count) characters.", advice: "Give one of 1 to 64 characters.")
        }
        do {
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let request = try CertificateSigningRequest(
                version: .v1, subject: try Self.subject(commonName, email), privateKey: Certificate.PrivateKey(key),
                attributes: CertificateSigningRequest.Attributes(), signatureAlgorithm: .sha256WithRSAEncryption)
            requestPEM = try request.serializeAsPEM().pemString + "\n"
            privateKeyPEM = key.pkcs8PEMRepresentation + "\n"
        } catch {
            throw APNsCertificateError(
                "The request could not be made: \(error)", advice: "Use letters, digits and spaces in the name.")
        }
    }

    private static func subject(_ commonName: String, _ email: String?) throws -> DistinguishedName {
        try DistinguishedName {
            if let email { EmailAddress(email) }
            CommonName(commonName)
        }
    }
}
