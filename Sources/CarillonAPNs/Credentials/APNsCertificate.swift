import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A client certificate: the older way to be known to APNs, one certificate for one app.
///
/// [Establishing a certificate-based connection](https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns)
public struct APNsCertificate: Sendable {
    /// The app's bundle id, which is the UID in the certificate's subject; `nil` if there is none. For `mdm` it is
    /// the whole topic.
    public let bundleID: String?

    /// Every topic that the certificate names: those of Apple's extension 1.2.840.113635.100.6.3.6, or just the
    /// bundle id when it has no such extension.
    public let topics: [String]

    let chain: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// - Parameters:
    ///   - certificatePEM: the certificate, and any that lead from it to its root, in PEM.
    ///   - privateKeyPEM: its private key in PEM. It may be the same text, if a file holds both.
    ///   - password: the password of the private key. The default is none.
    /// - Throws: ``APNsCertificateError``, which says what is wrong with which of the two.
    public init(
        certificatePEM: String, privateKeyPEM: String, password: String? = nil
    ) throws(APNsCertificateError) {
        try APNsCertificateError.checkIsCertificate(certificatePEM)
        try APNsCertificateError.checkIsKey(privateKeyPEM, hasPassword: password != nil)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)) else {
            throw APNsCertificateError(
                "The certificate file is damaged.", advice: "Export the certificate again, in PEM.")
        }
        do {
            let bytes = Array(privateKeyPEM.utf8)
            if let password {
                privateKey = try NIOSSLPrivateKey(bytes: bytes, format: .pem) { $0(Array(password.utf8)) }
            } else {
                privateKey = try NIOSSLPrivateKey(bytes: bytes, format: .pem)
            }
        } catch {
            throw APNsCertificateError(
                "The private key cannot be read.",
                advice: password == nil ? "Is the file complete?" : "Is the password right?")
        }
        self.chain = chain
        (bundleID, topics) = try Self.names(of: chain)
    }

    /// - Parameters:
    ///   - pkcs12: a `.p12` file, as Keychain Access exports it, with the certificate and its private key.
    ///   - password: the password given at the export; empty for none.
    /// - Throws: ``APNsCertificateError``.
    public init(pkcs12: Data, password: String) throws(APNsCertificateError) {
        do {
            let bundle = try NIOSSLPKCS12Bundle(buffer: Array(pkcs12), passphrase: Array(password.utf8))
            chain = bundle.certificateChain
            privateKey = bundle.privateKey
        } catch {
            throw APNsCertificateError(
                "The .p12 file cannot be opened.", advice: "Is the password right, and is the private key in the file?")
        }
        (bundleID, topics) = try Self.names(of: chain)
    }

    private static func names(of chain: [NIOSSLCertificate]) throws(APNsCertificateError) -> (String?, [String]) {
        guard let first = chain.first, let bytes = try? first.toDERBytes(),
            let certificate = try? Certificate(derEncoded: bytes)
        else {
            throw APNsCertificateError("The certificate cannot be read.", advice: "Export it again, in PEM.")
        }
        let bundleID = PushTopics.userID(of: certificate)
        let named = PushTopics.topics(of: certificate)
        return (bundleID, named.isEmpty ? bundleID.map { [$0] } ?? [] : named)
    }
}

/// What is wrong with a certificate or its key, and what to do about it. It never contains the key.
public struct APNsCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    public let advice: String
    public var description: String { "\(message) \(advice)" }

    init(_ message: String, advice: String) {
        self.message = message
        self.advice = advice
    }

    static func checkIsCertificate(_ pem: String) throws(APNsCertificateError) {
        guard !pem.contains("-----BEGIN CERTIFICATE-----") else { return }
        let isKey = pem.contains("PRIVATE KEY-----")
        throw APNsCertificateError(
            isKey
                ? "The certificate file holds only a private key." : "The certificate file has no certificate in PEM.",
            advice: isKey
                ? "For a .p8 signing key use token authentication."
                : "Convert a .cer file with: openssl x509 -inform DER -in aps.cer -out aps.pem")
    }

    static func checkIsKey(_ pem: String, hasPassword: Bool) throws(APNsCertificateError) {
        guard pem.contains("PRIVATE KEY-----") else {
            throw APNsCertificateError(
                "The key file has no private key in PEM.", advice: "Export certificate and key together as .p12.")
        }
        let isEncrypted = pem.contains("ENCRYPTED")
        guard !isEncrypted || hasPassword else {
            throw APNsCertificateError("The private key is encrypted.", advice: "Give its password.")
        }
    }
}
