import CarillonCore
import Foundation
import NIOSSL
import Synchronization

/// The certificate with which a listener of the service speaks TLS, read from files that may be replaced while the service runs.
///
/// New connections use the newest certificate and private key that belong together. Open connections keep their certificate.
package final class ListenerCertificate: Sendable {
    /// The paths of the certificate and its private key, both in PEM; one file may contain both.
    package struct Files: Sendable, Hashable {
        /// The path of the file with the listener's certificate, followed by the intermediate certificates.
        package var certificate: String
        /// The path of the file with the certificate's private key.
        package var key: String

        package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
    }

    private struct State {
        var bytes: [Data?]
        var context: NIOSSLContext
        var end: Timestamp
    }

    package let files: Files
    private let state: Mutex<State>

    /// Reads the certificate and its private key from the files.
    ///
    /// - Throws: ``ServiceError`` if a file cannot be read, or if the key does not belong to the certificate. The error's
    ///   description names the file.
    package init(_ files: Files) throws {
        self.files = files
        let state = try Self.read(files)
        self.state = Mutex(state)
    }

    /// The time at which the listener's certificate expires.
    package var end: Timestamp { state.withLock(\.end) }

    /// Returns whether the certificate expires within ``ServiceLimits/certificateWarning`` or has expired.
    func endsSoon(at now: Timestamp) -> Bool { end - now < ServiceLimits.certificateWarning }

    /// The TLS settings for new connections, with the certificate and its private key.
    var context: NIOSSLContext { state.withLock(\.context) }

    /// Reads the files again if their contents have changed.
    ///
    /// - Returns: whether the contents have changed, so that new connections now use the new certificate.
    /// - Throws: ``ServiceError`` if the changed files cannot be used. The former certificate then stays in use, and later calls
    ///   return `false` until the files change once more.
    func reload() throws -> Bool {
        let bytes = Self.bytes(files)
        let isNew = state.withLock { state in
            defer { state.bytes = bytes }
            return state.bytes != bytes
        }
        guard isNew else { return false }
        let changed = try Self.read(files)
        state.withLock { $0 = changed }
        return true
    }

    private static func bytes(_ files: Files) -> [Data?] {
        [files.certificate, files.key].map { FileManager.default.contents(atPath: $0) }
    }

    private static func read(_ files: Files) throws -> State {
        let bytes = bytes(files)
        let pem = try zip([files.certificate, files.key], bytes).map { path, bytes in
            guard let bytes else { throw ServiceError(.configuration, "\(path) cannot be read, or is no file") }
            return Array(bytes)
        }
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(pem[0]), let first = chain.first else {
            throw ServiceError(.configuration, "\(files.certificate) has no certificate in PEM")
        }
        guard let key = try? NIOSSLPrivateKey(bytes: pem[1], format: .pem) else {
            throw ServiceError(
                .configuration, "\(files.key) has no private key in PEM, or one that is protected by a password")
        }
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        // BoringSSL compares the key with the first certificate.
        guard let context = try? NIOSSLContext(configuration: tls) else {
            throw ServiceError(
                .configuration,
                "the private key in \(files.key) does not belong to the first certificate in \(files.certificate)")
        }
        return State(
            bytes: bytes, context: context, end: Timestamp(secondsSince1970: Int64(first.notValidAfter)))
    }
}
