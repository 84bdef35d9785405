import CryptoExtras
import SwiftASN1
import X509

/// A certificate signing request, which Apple's developer site turns into a push certificate, and the private key that
/// belongs to it.
///
/// [Create a certificate signing request](https://developer.apple.com/help/account/certificates/create-a-certificate-signing-request)
/// does the same with Keychain Access: RSA of 2048 bits, signed with SHA-256.
public struct APNsCertificateRequest: Sendable {
    /// The certificate request in PEM, to be uploaded to Apple's developer site.
    public let pem: String
    /// The certificate's private key in PEM; it must not leave the machine unprotected.
    public let privateKeyPEM: String

    /// Makes a new private key and a request for it.
    ///
    /// - Parameters:
    ///   - commonName: a name by which to recognise the certificate later, 1–64 characters.
    ///   - emailAddress: the address of the person responsible for it. The default is none.
    /// - Throws: ``APNsCredentialError`` when the name cannot stand in a certificate.
    public init(commonName: String, emailAddress: String? = nil) throws(APNsCredentialError) {
        guard (1...64).contains(commonName.count) else {
            throw APNsCredentialError(
                .invalidName, "The common name has \(commonName.count) characters.", advice: "Give it 1 to 64.")
        }
        do {
            let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            let subject = try DistinguishedName {
                if let emailAddress { EmailAddress(emailAddress) }
                CommonName(commonName)
            }
            let request = try CertificateSigningRequest(
                version: .v1, subject: subject, privateKey: Certificate.PrivateKey(rsa), attributes: .init(),
                signatureAlgorithm: .sha256WithRSAEncryption)
            pem = try request.serializeAsPEM().pemString
            privateKeyPEM = rsa.pkcs8PEMRepresentation
        } catch {
            throw APNsCredentialError(
                .invalidName, "The request cannot be made: \(error).",
                advice: "Use letters, digits and spaces in the name.")
        }
    }
}
