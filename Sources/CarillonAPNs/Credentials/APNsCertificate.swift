import CarillonCore
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A client certificate, the older way to authenticate with APNs.
///
/// Each app needs its own certificate. See [Establishing a certificate-based
/// connection](https://developer.apple.com/documentation/usernotifications/establishing-a-certificate-based-connection-to-apns)
public struct APNsCertificate: Sendable {
    /// The app's bundle id: the UID in the certificate's subject; `nil` if the subject has no UID.
    ///
    /// For push type `mdm`, the topic is this id without a suffix.
    public let bundleID: String?

    /// All topics that the certificate is valid for.
    ///
    /// Apple's certificate extension 1.2.840.113635.100.6.3.6 lists them. Without that extension, the bundle id is the only
    /// topic.
    public let topics: [String]

    /// The end of the certificate's validity.
    ///
    /// APNs refuses the certificate after this time. In the last 30 days, a client logs a warning once a day.
    public let validUntil: Timestamp

    let chain: [NIOSSLCertificate]
    let privateKey: NIOSSLPrivateKey

    /// Parses a certificate and its private key in PEM.
    ///
    /// - Parameters:
    ///   - certificatePEM: the certificate in PEM, optionally with the certificates that lead to its root.
    ///   - privateKeyPEM: the private key in PEM. If one file holds both, pass its text twice.
    ///   - password: the password of the private key, at most 1,023 bytes. The default is none.
    /// - Throws: ``APNsCredentialError``, which says what is wrong with the certificate or the key.
    public init(
        certificatePEM: String, privateKeyPEM: String, password: String? = nil
    ) throws(APNsCredentialError) {
        let (certificate, privateKey) = (PEMText(certificatePEM), PEMText(privateKeyPEM))
        try APNsCredentialError.checkIsCertificate(certificate)
        try APNsCredentialError.checkIsKey(privateKey, hasPassword: password != nil)
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(Array(certificate.strict.utf8)), !chain.isEmpty else {
            throw APNsCredentialError(
                .damaged, "The certificate file is damaged.", advice: "Export the certificate again, in PEM.")
        }
        let key =
            if let password { EncryptedFile.privateKey(pem: privateKey.strict, password: password) } else {
                try? NIOSSLPrivateKey(bytes: Array(privateKey.strict.utf8), format: .pem)
            }
        guard let key else {
            throw APNsCredentialError(
                password == nil ? .damaged : .wrongPassword, "The private key cannot be read.",
                advice: password == nil ? "Is the file complete?" : "Is the password right?")
        }
        self.privateKey = key
        self.chain = try Self.chain(chain, of: key)
        (bundleID, topics, validUntil) = try Self.contents(of: self.chain)
    }

    /// Parses a `.p12` file with a certificate and its private key.
    ///
    /// - Parameters:
    ///   - pkcs12: the `.p12` file, as Keychain Access exports it.
    ///   - password: the password of the export; empty for none.
    /// - Throws: ``APNsCredentialError`` if the file cannot be opened or its certificate cannot be parsed.
    public init(pkcs12: Data, password: String) throws(APNsCredentialError) {
        let bytes = Array(pkcs12)
        let contents: EncryptedFile.Contents
        do { contents = try EncryptedFile.contents(ofArchive: bytes, password: password) } catch {
            throw Self.unreadable(bytes, error)
        }
        guard contents.hasKey else {
            throw APNsCredentialError(
                .withoutPrivateKey,
                !contents.certificates.isEmpty
                    ? "The .p12 file has a certificate and no private key."
                    : "The .p12 file has neither a certificate nor a private key.",
                advice: "Export the certificate together with its private key: in Keychain Access select both.")
        }
        guard !contents.certificates.isEmpty else {
            throw APNsCredentialError(
                .isPrivateKey, "The .p12 file has a private key and no certificate.",
                advice: "Export the key together with its certificate: in Keychain Access select both.")
        }
        guard let key = contents.key else { throw Self.otherKey }
        privateKey = key
        chain = try Self.chain(contents.certificates, of: key)
        (bundleID, topics, validUntil) = try Self.contents(of: chain)
    }

    /// Returns the error that explains why a file cannot be opened as a `.p12` archive with this password.
    private static func unreadable(_ bytes: [UInt8], _ refusal: EncryptedFile.Refusal) -> APNsCredentialError {
        if bytes.isEmpty {
            return APNsCredentialError(.empty, "The certificate file is empty.", advice: "Export it again, as .p12.")
        }
        if (try? Certificate(derEncoded: bytes)) != nil {
            return APNsCredentialError(
                .withoutPrivateKey, "The file is a certificate (.cer, in DER) without its private key.",
                advice: "Add it to the keychain that made the request, and export both together as .p12.")
        }
        let (reason, advice) =
            switch refusal {
            case .severalKeys:
                (
                    "The .p12 file has several private keys.",
                    "Export one certificate with its key: select only these two."
                )
            case .withoutMAC:
                ("The .p12 file has no MAC, so that nobody can tell whether it was changed.", "Export it again.")
            case .textInIt:
                (
                    "The .p12 file has a name with characters that cannot be read, such as an emoji.",
                    "Rename the certificate in Keychain Access, and export it again."
                )
            case .wrongPassword, .other:
                ("The .p12 file cannot be opened.", "Is the password right, and is it a .p12 file?")
            }
        return APNsCredentialError(.unreadableArchive, reason, advice: advice)
    }

    /// Returns the certificates, beginning with the certificate that belongs to the key.
    ///
    /// The method makes a TLS context with each certificate, so that BoringSSL compares key and certificate.
    ///
    /// - Throws: ``otherKey`` if no certificate belongs to the key.
    private static func chain(
        _ certificates: [NIOSSLCertificate], of key: NIOSSLPrivateKey
    ) throws(APNsCredentialError) -> [NIOSSLCertificate] {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([])
        tls.privateKey = .privateKey(key)
        for index in certificates.indices.prefix(ClientLimits.certificatesPerFile) {
            tls.certificateChain = [.certificate(certificates[index])]
            guard (try? NIOSSLContext(configuration: tls)) != nil else { continue }
            var others = certificates
            return [others.remove(at: index)] + others
        }
        throw otherKey
    }

    private static let otherKey = APNsCredentialError(
        .otherPrivateKey, "The private key does not belong to the certificate.",
        advice: "Export the certificate together with the key with which it was requested.")

    /// Returns a warning if the certificate expires soon or has expired.
    ///
    /// - Parameter now: the present time.
    /// - Returns: a sentence with the expiry date and advice; `nil` if the certificate is valid for more than 30 days.
    public func warning(at now: Timestamp) -> String? {
        let rest = validUntil - now
        guard rest <= ClientLimits.certificateWarning else { return nil }
        let name = topics.first.map { " for \($0)" } ?? ""
        guard rest > .zero else {
            return "The certificate\(name) ended on \(validUntil): APNs refuses it. Use a new one."
        }
        return "The certificate\(name) ends on \(validUntil), in \(rest.components.seconds / 86_400) days: renew it."
    }

    private static func contents(
        of chain: [NIOSSLCertificate]
    ) throws(APNsCredentialError) -> (String?, [String], Timestamp) {
        guard let first = chain.first, let bytes = try? first.toDERBytes(),
            let certificate = try? Certificate(derEncoded: bytes)
        else {
            throw APNsCredentialError(.damaged, "The certificate cannot be read.", advice: "Export it again, in PEM.")
        }
        let bundleID = PushTopics.userID(of: certificate)
        let named = PushTopics.topics(of: certificate)
        let topics = named.isEmpty ? bundleID.map { [$0] } ?? [] : named
        return (bundleID, topics, Timestamp(certificate.notValidAfter))
    }
}
