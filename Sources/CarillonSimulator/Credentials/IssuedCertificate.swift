import Foundation
import NIOSSL

/// A certificate with its private key, both in PEM.
public struct IssuedCertificate: Sendable, Hashable {
    /// The certificate.
    public let certificatePEM: String
    /// Its private key, unencrypted.
    public let privateKeyPEM: String

    /// Both in one file, as many senders want it: the certificate, then the key.
    public var pem: String { certificatePEM + "\n" + privateKeyPEM + "\n" }

    /// Returns both as a `.p12` file, as Keychain Access exports it.
    ///
    /// - Parameter password: the file's password; Java reads no file without one.
    /// - Returns: the file's contents.
    /// - Throws: ``SimulatorError`` when the certificate cannot be written so.
    public func pkcs12(password: String) throws(SimulatorError) -> Data {
        do {
            let bundle = NIOSSLPKCS12Bundle(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)),
                privateKey: try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem))
            return Data(try bundle.serialize(passphrase: Array(password.utf8)))
        } catch {
            throw SimulatorError(.invalidCredential, "the certificate cannot be written as .p12: \(error)")
        }
    }
}
