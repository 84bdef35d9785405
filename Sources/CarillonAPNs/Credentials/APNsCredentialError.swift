/// A mistake in a signing key, a certificate or a certificate request, with advice.
///
/// The error never contains the key.
public struct APNsCredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a mistake.
    ///
    /// Later versions may add codes.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private enum Kind: String {
            case empty, notAPrivateKey, notACertificate, isCertificate, isPublicKey, isPrivateKey, wrongCurve,
                withoutPrivateKey, otherPrivateKey
            case encrypted, wrongPassword, unreadableArchive, damaged, invalidKeyID, invalidTeamID, invalidName
        }

        private let kind: Kind
        private init(_ kind: Kind) { self.kind = kind }

        /// The key file is empty.
        public static let empty = Code(.empty)
        /// The key file has no private key in PEM.
        public static let notAPrivateKey = Code(.notAPrivateKey)
        /// The certificate file has no certificate in PEM.
        ///
        /// A `.cer` file (DER) must be converted to PEM first.
        public static let notACertificate = Code(.notACertificate)
        /// The key file is a certificate.
        public static let isCertificate = Code(.isCertificate)
        /// The key file is a public key.
        public static let isPublicKey = Code(.isPublicKey)
        /// The certificate file has only a private key.
        public static let isPrivateKey = Code(.isPrivateKey)
        /// The certificate's file has no private key.
        public static let withoutPrivateKey = Code(.withoutPrivateKey)
        /// The private key belongs to another certificate.
        public static let otherPrivateKey = Code(.otherPrivateKey)
        /// The key can be parsed but is not on the curve P-256: it is on another curve, or is RSA.
        public static let wrongCurve = Code(.wrongCurve)
        /// The key is encrypted, and no password was given.
        public static let encrypted = Code(.encrypted)
        /// The encrypted key cannot be opened with this password.
        public static let wrongPassword = Code(.wrongPassword)
        /// The `.p12` file cannot be opened: the password is wrong, or the file is not a `.p12` with a private key.
        public static let unreadableArchive = Code(.unreadableArchive)
        /// The file is of the right kind, but part of it is missing or changed.
        public static let damaged = Code(.damaged)
        /// The key id is not ten letters and digits.
        public static let invalidKeyID = Code(.invalidKeyID)
        /// The team id is not ten letters and digits.
        public static let invalidTeamID = Code(.invalidTeamID)
        /// The name or the address is not allowed in a certificate request.
        public static let invalidName = Code(.invalidName)

        /// The code's name, such as `wrongCurve`.
        public var description: String { kind.rawValue }
    }

    /// The kind of this mistake.
    public let code: Code
    /// A sentence that names the faulty file or value and its fault.
    public let message: String
    /// A sentence that says how to correct the mistake.
    public let advice: String
    /// The message and the advice.
    public var description: String { "\(message) \(advice)" }

    init(_ code: Code, _ message: String, advice: String) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
