import Crypto
import NIOSSL
import SwiftASN1
import X509

/// The simulated Apple account: its signing keys, and the certificate authority that issues the TLS certificates.
struct SimulatedAccount {
    let signingKeyPEM: String
    let authority: CertificateAuthority
    let keys: [String: KnownKey]

    init(_ configuration: SimulatorConfiguration) throws(SimulatorError) {
        let credentials =
            configuration.credentials ?? (configuration.doors.contains(.wellKnown) ? .wellKnown : nil)
        let signingKey: P256.Signing.PrivateKey
        do {
            signingKey =
                try credentials.map { try P256.Signing.PrivateKey(pemRepresentation: $0.signingKeyPEM) }
                ?? P256.Signing.PrivateKey()
        } catch {
            throw SimulatorError(
                .invalidCredential, "the signing key is not a P-256 key in PEM: pass the whole contents of the .p8 file"
            )
        }
        do {
            authority =
                try credentials.map {
                    try CertificateAuthority(certificatePEM: $0.caCertificatePEM, privateKeyPEM: $0.caPrivateKeyPEM)
                } ?? CertificateAuthority()
        } catch {
            throw SimulatorError(
                .invalidCredential, "the authority's certificate or key cannot be read as PEM: \(error)")
        }
        signingKeyPEM = signingKey.pemRepresentation
        let main = SimulatorKey(
            keyID: configuration.keyID, teamID: configuration.teamID,
            publicKeyPEM: signingKey.publicKey.pemRepresentation)
        var keys: [String: KnownKey] = [:]
        for key in [main] + configuration.furtherKeys { keys[key.keyID] = try KnownKey(key) }
        self.keys = keys
    }
}

extension SimulatedAccount {
    /// Makes the cache of verified tokens for the account's keys.
    func tokens(_ configuration: SimulatorConfiguration) -> TokenCache {
        TokenCache(
            verifier: TokenVerifier(keys: keys, isStrict: configuration.isStrict), clock: configuration.clock)
    }

    func caCertificatePEM() throws(SimulatorError) -> String {
        do {
            return try authority.certificate.serializeAsPEM().pemString + "\n"
        } catch {
            throw SimulatorError(.invalidCredential, "the authority's certificate cannot be written as PEM: \(error)")
        }
    }

    func caPrivateKeyPEM() throws(SimulatorError) -> String {
        do {
            return try authority.privateKey.serializeAsPEM().pemString + "\n"
        } catch {
            throw SimulatorError(.invalidCredential, "the authority's key cannot be written as PEM: \(error)")
        }
    }

    /// Makes the TLS context, with a new server certificate; returns `nil` if senders connect without TLS.
    func tlsContext(_ configuration: SimulatorConfiguration) throws(SimulatorError) -> NIOSSLContext? {
        guard !configuration.doors.contains(.cleartext) else { return nil }
        do {
            let identity = try authority.issueServerCertificate(
                host: configuration.host, hostNames: configuration.hostNames)
            var tls = try TLSConfiguration.simulator(identity: identity)
            if configuration.isTLS12Only { tls.maximumTLSVersion = .tlsv12 }
            return try NIOSSLContext(configuration: tls)
        } catch {
            throw SimulatorError(
                .invalidCredential, "no server certificate can be issued with the authority's key: \(error)")
        }
    }
}
