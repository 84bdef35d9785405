import Crypto
import Foundation
import SwiftASN1

/// Recognises files that are often mistaken for a key or certificate file.
extension APNsCredentialError {
    private static let download =
        "Download the key from Apple's developer site (Keys, Apple Push Notifications service)."

    /// Parses the private key of a `.p8` file.
    ///
    /// The method also accepts keys in SEC 1 form, which openssl writes.
    ///
    /// - Parameter text: the file's text.
    /// - Returns: the key.
    /// - Throws: the error that fits the file: another kind of file or key, an encrypted key, or a damaged one.
    static func signingKey(in text: String) throws(APNsCredentialError) -> P256.Signing.PrivateKey {
        let pem = PEMText(text)
        guard let block = pem.blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw missingKey(in: text, pem)
        }
        guard !block.isEncrypted else {
            throw Self(
                .encrypted, "The key file is encrypted; Apple hands it out unencrypted.", advice: download)
        }
        guard let contents = block.contents else {
            throw Self(
                .damaged, "The key file is damaged: what stands between its BEGIN and END is not base64.",
                advice: download)
        }
        if let key = try? P256.Signing.PrivateKey(derRepresentation: contents) { return key }
        guard let kind = PrivateKeyKind(label: block.label, contents: Array(contents)) else {
            throw Self(
                .damaged, "The key file is damaged: part of the key is missing or changed.", advice: download)
        }
        throw kind == .p256
            ? Self(
                .damaged, "The key file is damaged: it is a key on the curve P-256 that cannot be read.",
                advice: download)
            : Self(.wrongCurve, "The key file is \(kind.name); APNs' keys are on the curve P-256.", advice: download)
    }

    private static func missingKey(in text: String, _ pem: PEMText) -> Self {
        if text.allSatisfy(\.isWhitespace) { return Self(.empty, "The key file is empty.", advice: download) }
        if pem.blocks.isEmpty, pem.unfinished == nil, pem.hasDamagedLabel {
            return Self(.damaged, "The key file is damaged: its BEGIN line is.", advice: download)
        }
        if let label = pem.unfinished, label.hasSuffix("PRIVATE KEY") {
            return Self(
                .damaged, "The key file is cut off: there is no line -----END \(label)-----.", advice: download)
        }
        switch pem.blocks.first?.label ?? pem.unfinished {
        case "CERTIFICATE"?:
            return Self(.isCertificate, "The key file is a certificate, not a signing key.", advice: download)
        case "PUBLIC KEY"?:
            return Self(
                .isPublicKey, "The key file is a public key; signing needs the private one.", advice: download)
        case "CERTIFICATE REQUEST"?, "NEW CERTIFICATE REQUEST"?:
            return Self(
                .notAPrivateKey, "The key file is a certificate request, not a private key.", advice: download)
        case "EC PARAMETERS"?:
            return Self(
                .notAPrivateKey, "The key file has EC PARAMETERS alone, and no private key.", advice: download)
        // Quotes no other label, because a damaged label may contain part of the secret.
        case _?:
            return Self(
                .notAPrivateKey, "The key file has something else in PEM than a private key.", advice: download)
        case nil:
            let compact = text.filter { !$0.isWhitespace }
            if let inner = Data(base64Encoded: compact), inner.firstRange(of: Data("-----BEGIN".utf8)) != nil {
                return Self(
                    .notAPrivateKey, "The key file is a PEM file that was encoded in base64 once more.",
                    advice: "Decode it first: base64 --decode.")
            }
            return Self(
                .notAPrivateKey, "The key file has no line -----BEGIN PRIVATE KEY-----.", advice: download)
        }
    }

    /// Throws a specific error for files that are often mistaken for a certificate.
    static func checkIsCertificate(_ pem: PEMText) throws(APNsCredentialError) {
        guard !pem.blocks.contains(where: { $0.label == "CERTIFICATE" }) else { return }
        guard !pem.blocks.contains(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            throw APNsCredentialError(
                .isPrivateKey, "The certificate file holds only a private key.",
                advice: "For a .p8 signing key use token authentication.")
        }
        guard pem.unfinished != "CERTIFICATE" else {
            throw APNsCredentialError(
                .damaged, "The certificate file is cut off: there is no line -----END CERTIFICATE-----.",
                advice: "Export the certificate again, in PEM.")
        }
        throw APNsCredentialError(
            .notACertificate, "The certificate file has no certificate in PEM.",
            advice: "Convert a .cer file with: openssl x509 -inform DER -in aps.cer -out aps.pem")
    }

    /// Throws a specific error for files that are often mistaken for a certificate's key, and for keys that cannot be opened.
    static func checkIsKey(_ pem: PEMText, hasPassword: Bool) throws(APNsCredentialError) {
        guard let key = pem.blocks.first(where: { $0.label.hasSuffix("PRIVATE KEY") }) else {
            if let label = pem.unfinished, label.hasSuffix("PRIVATE KEY") {
                throw APNsCredentialError(
                    .damaged, "The key file is cut off: there is no line -----END \(label)-----.",
                    advice: "Export certificate and key together as .p12.")
            }
            throw APNsCredentialError(
                .notAPrivateKey, "The key file has no private key in PEM.",
                advice: "Export certificate and key together as .p12.")
        }
        guard !key.isEncrypted || hasPassword else {
            throw APNsCredentialError(.encrypted, "The private key is encrypted.", advice: "Give its password.")
        }
    }
}

/// The kind of a private key, by its algorithm.
enum PrivateKeyKind: Sendable, Hashable {
    case p256, rsa
    case curve(String)
    case other(String)

    /// Determines the algorithm of a private key in PKCS #8 ([RFC 5958](https://www.rfc-editor.org/rfc/rfc5958)), PKCS #1 or
    /// SEC 1.
    ///
    /// - Returns: the algorithm; `nil` if the key is in none of these formats.
    init?(label: String, contents: [UInt8]) {
        if label == "RSA PRIVATE KEY" {
            self = .rsa
            return
        }
        guard let root = try? DER.parse(contents), case .constructed(let children) = root.content else { return nil }
        let parts = Array(children)
        if label == "EC PRIVATE KEY" {
            let curve = parts.lazy.compactMap { part -> ASN1ObjectIdentifier? in
                guard case .constructed(let inner) = part.content, let first = Array(inner).first else { return nil }
                return try? ASN1ObjectIdentifier(derEncoded: first)
            }.first
            guard let curve else { return nil }
            self.init(curve: curve)
            return
        }
        guard case .constructed(let algorithm)? = parts.dropFirst().first?.content,
            let first = Array(algorithm).first, let name = try? ASN1ObjectIdentifier(derEncoded: first)
        else { return nil }
        switch name {
        case [1, 2, 840, 113_549, 1, 1, 1]: self = .rsa
        case [1, 2, 840, 10045, 2, 1]:
            guard let last = Array(algorithm).last, let curve = try? ASN1ObjectIdentifier(derEncoded: last) else {
                return nil
            }
            self.init(curve: curve)
        case [1, 3, 101, 112]: self = .other("an Ed25519 key")
        case [1, 3, 101, 110]: self = .other("an X25519 key")
        default: self = .other("a key of the algorithm \(name)")
        }
    }

    private init(curve: ASN1ObjectIdentifier) {
        switch curve {
        case [1, 2, 840, 10045, 3, 1, 7]: self = .p256
        case [1, 3, 132, 0, 33]: self = .curve("P-224")
        case [1, 3, 132, 0, 34]: self = .curve("P-384")
        case [1, 3, 132, 0, 35]: self = .curve("P-521")
        case [1, 3, 132, 0, 10]: self = .curve("secp256k1")
        default: self = .curve("\(curve)")
        }
    }

    /// The kind in words, such as `an RSA key`.
    var name: String {
        switch self {
        case .p256: "a key on the curve P-256"
        case .rsa: "an RSA key"
        case .curve(let name): "a key on the curve \(name)"
        case .other(let name): name
        }
    }
}
