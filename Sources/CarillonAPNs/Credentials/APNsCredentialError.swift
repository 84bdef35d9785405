/// A mistake in a signing key, a certificate or a certificate request, with advice.
///
/// It never contains the key.
public struct APNsCredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a mistake; further codes may be added.
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
        /// The certificate file has no certificate in PEM; a `.cer` file, which is DER, has to be converted.
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
        /// The key can be read but is not on the curve P-256: it is on another curve, or is RSA.
        public static let wrongCurve = Code(.wrongCurve)
        /// The key is encrypted, and there is no password for it.
        public static let encrypted = Code(.encrypted)
        /// The encrypted key cannot be opened with this password.
        public static let wrongPassword = Code(.wrongPassword)
        /// The `.p12` file cannot be opened: the password is wrong, or it is no `.p12` file with a private key.
        public static let unreadableArchive = Code(.unreadableArchive)
        /// The file is of the right kind but cannot be read: part of it is missing or changed.
        public static let damaged = Code(.damaged)
        /// The key id is not ten letters and digits.
        public static let invalidKeyID = Code(.invalidKeyID)
        /// The team id is not ten letters and digits.
        public static let invalidTeamID = Code(.invalidTeamID)
        /// The name or the address cannot stand in a certificate request.
        public static let invalidName = Code(.invalidName)

        /// The code's name, such as `wrongCurve`.
        public var description: String { kind.rawValue }
    }

    /// The kind of this mistake.
    public let code: Code
    /// A sentence that names the faulty file or value and says what is wrong with it.
    public let message: String
    /// A sentence that tells the reader how to correct the mistake.
    public let advice: String
    /// The message and the advice.
    public var description: String { "\(message) \(advice)" }

    init(_ code: Code, _ message: String, advice: String) {
        self.code = code
        self.message = message
        self.advice = advice
    }
}
