/// What is wrong with a key file, a key id or a team id, and what to do about it. It never contains the key.
public struct APNsSigningKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    public let message: String
    public let advice: String
    public var description: String { "\(message) \(advice)" }

    init(_ message: String, advice: String) {
        self.message = message
        self.advice = advice
    }

    /// Tells the files that people put in the place of a `.p8` from a `.p8`.
    static func checkIsPrivateKey(_ pem: String) throws(APNsSigningKeyError) {
        guard !pem.contains("-----BEGIN PRIVATE KEY-----") else { return }
        let download = "Download the key from Apple's developer site (Keys, Apple Push Notifications service)."
        let mistakes: [(sign: String, message: String)] = [
            ("-----BEGIN CERTIFICATE", "The key file is a certificate, not a signing key."),
            ("-----BEGIN PUBLIC KEY", "The key file is a public key; signing needs the private one."),
            ("-----BEGIN RSA PRIVATE KEY", "The key file is an RSA key; APNs' keys are on the curve P-256."),
            ("-----BEGIN ENCRYPTED PRIVATE KEY", "The key file is encrypted; Apple hands it out unencrypted."),
            ("-----BEGIN EC PRIVATE KEY", "The key file is an EC key in SEC 1 form; Apple's .p8 is PKCS #8."),
            ("-----BEGIN EC PARAMETERS", "The key file is an EC key in SEC 1 form; Apple's .p8 is PKCS #8."),
        ]
        if pem.allSatisfy(\.isWhitespace) {
            throw APNsSigningKeyError("The key file is empty.", advice: download)
        }
        if let mistake = mistakes.first(where: { pem.contains($0.sign) }) {
            throw APNsSigningKeyError(mistake.message, advice: download)
        }
        throw APNsSigningKeyError("The key file has no line -----BEGIN PRIVATE KEY-----.", advice: download)
    }
}
