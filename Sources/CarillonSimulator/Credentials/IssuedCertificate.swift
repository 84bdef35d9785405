import Foundation
import NIOCore
import NIOSSL

/// A certificate with its private key, both in PEM.
public struct IssuedCertificate: Sendable, Hashable {
    /// The certificate, in PEM.
    public let certificatePEM: String
    /// The certificate's private key, in PEM and unencrypted.
    public let privateKeyPEM: String

    /// The certificate and the key in one file, as many senders expect.
    public var pem: String { certificatePEM + "\n" + privateKeyPEM + "\n" }

    /// Returns the certificate and the key as a `.p12` file, as Keychain Access exports it.
    ///
    /// - Parameter password: the file's password. Java cannot read a file without one.
    /// - Returns: the file's contents.
    /// - Throws: ``SimulatorError`` if the certificate cannot be written in this format.
    public func pkcs12(password: String) throws(SimulatorError) -> Data {
        do {
            let bundle = NIOSSLPKCS12Bundle(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificatePEM.utf8)),
                privateKey: try NIOSSLPrivateKey(bytes: Array(privateKeyPEM.utf8), format: .pem))
            return Data(try bundle.serialize(passphrase: Array(password.utf8)))
        } catch is IOError {
            // NIOSSL keeps the password out of swapped memory, and makes no other system call here.
            throw SimulatorError(
                .invalidCredential,
                "the password of a .p12 cannot be locked in memory: raise the limit (ulimit -l), or let the container call mlock"
            )
        } catch {
            throw SimulatorError(.invalidCredential, "the certificate cannot be written as .p12: \(error)")
        }
    }
}
