import NIOSSL

/// What people put in the place of the right file.
extension APNsCredentialError {
    /// Tells the files that people put in the place of a `.p8` from a `.p8`.
    static func checkIsSigningKey(_ pem: String) throws(APNsCredentialError) {
        guard !pem.contains("-----BEGIN PRIVATE KEY-----") else { return }
        let download = "Download the key from Apple's developer site (Keys, Apple Push Notifications service)."
        let sec1 = "The key file is an EC key in SEC 1 form; Apple's .p8 is PKCS #8."
        let mistakes: [(sign: String, code: Code, message: String)] = [
            ("-----BEGIN CERTIFICATE", .isCertificate, "The key file is a certificate, not a signing key."),
            ("-----BEGIN PUBLIC KEY", .isPublicKey, "The key file is a public key; signing needs the private one."),
            (
                "-----BEGIN RSA PRIVATE KEY", .wrongCurve,
                "The key file is an RSA key; APNs' keys are on the curve P-256."
            ),
            (
                "-----BEGIN ENCRYPTED PRIVATE KEY", .encrypted,
                "The key file is encrypted; Apple hands it out unencrypted."
            ),
            ("-----BEGIN EC PRIVATE KEY", .wrongFormat, sec1),
            ("-----BEGIN EC PARAMETERS", .wrongFormat, sec1),
        ]
        if pem.allSatisfy(\.isWhitespace) {
            throw APNsCredentialError(.empty, "The key file is empty.", advice: download)
        }
        if let mistake = mistakes.first(where: { pem.contains($0.sign) }) {
            throw APNsCredentialError(mistake.code, mistake.message, advice: download)
        }
        throw APNsCredentialError(
            .notAPrivateKey, "The key file has no line -----BEGIN PRIVATE KEY-----.", advice: download)
    }

    /// A private key that is not one on the curve P-256: of another kind if it can be read at all, else damaged.
    static func unusableSigningKey(_ pem: String) -> Self {
        let isKey = (try? NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem)) != nil
        return Self(
            isKey ? .wrongCurve : .damaged,
            "The key file is a private key, but not one on the curve P-256, or it is damaged.",
            advice: "Use the .p8 file as Apple's developer site handed it out, without converting it.")
    }

    /// Tells the files that people put in the place of a certificate from a certificate.
    static func checkIsCertificate(_ pem: String) throws(APNsCredentialError) {
        guard !pem.contains("-----BEGIN CERTIFICATE-----") else { return }
        guard !pem.contains("PRIVATE KEY-----") else {
            throw APNsCredentialError(
                .isPrivateKey, "The certificate file holds only a private key.",
                advice: "For a .p8 signing key use token authentication.")
        }
        throw APNsCredentialError(
            .notACertificate, "The certificate file has no certificate in PEM.",
            advice: "Convert a .cer file with: openssl x509 -inform DER -in aps.cer -out aps.pem")
    }

    /// Tells the files that people put in the place of a certificate's key from a key that can be opened.
    static func checkIsKey(_ pem: String, hasPassword: Bool) throws(APNsCredentialError) {
        guard pem.contains("PRIVATE KEY-----") else {
            throw APNsCredentialError(
                .notAPrivateKey, "The key file has no private key in PEM.",
                advice: "Export certificate and key together as .p12.")
        }
        let isEncrypted = pem.contains("ENCRYPTED")
        guard !isEncrypted || hasPassword else {
            throw APNsCredentialError(.encrypted, "The private key is encrypted.", advice: "Give its password.")
        }
    }
}
