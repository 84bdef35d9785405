import Crypto

/// A ``SimulatorKey`` with its parsed public key.
struct KnownKey: Sendable {
    var key: SimulatorKey
    var publicKey: P256.Signing.PublicKey

    init(_ key: SimulatorKey) throws(SimulatorError) {
        self.key = key
        do {
            publicKey = try P256.Signing.PublicKey(pemRepresentation: key.publicKeyPEM)
        } catch {
            throw SimulatorError(
                .invalidCredential,
                "the public key \(key.keyID) is not a P-256 key in PEM: pass the text from -----BEGIN PUBLIC KEY-----")
        }
    }
}
