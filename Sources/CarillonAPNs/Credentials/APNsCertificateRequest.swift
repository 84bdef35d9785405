import CryptoExtras
import SwiftASN1
import X509

/// A certificate signing request and its private key.
///
/// Apple's developer site turns the request into a push certificate. The request has the form of one from Keychain Access: RSA
/// with 2048 bits, signed with SHA-256 ([Create a certificate signing
/// request](https://developer.apple.com/help/account/certificates/create-a-certificate-signing-request)).
public struct APNsCertificateRequest: Sendable {
    /// The certificate request in PEM, to upload to Apple's developer site.
    public let pem: String
    /// The private key in PEM.
    ///
    /// The key must not leave the machine unprotected.
    public let privateKeyPEM: String

    /// Makes a new private key and a request for it.
    ///
    /// - Parameters:
    ///   - commonName: a name to recognise the certificate by, 1–64 characters.
    ///   - emailAddress: the address of the person responsible for the certificate. The default is none.
    /// - Throws: ``APNsCredentialError`` if the name or the address is not allowed in a certificate.
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
