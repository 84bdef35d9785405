import NIOSSL
import SwiftASN1
import Testing
import X509

@testable import CarillonAPNs

@Suite("A certificate signing request")
struct CertificateRequestTests {
    @Test("it names who asks, is signed with its own key as Apple wants it, and the key can be used")
    func request() throws {
        let made = try APNsCertificateRequest(commonName: "Chime push", emailAddress: "ops@example.com")
        let request = try CertificateSigningRequest(pemEncoded: made.pem)
        #expect(request.publicKey.isValidSignature(request.signature, for: request))
        #expect(request.signatureAlgorithm == .sha256WithRSAEncryption)
        #expect(request.subject.description.contains("Chime push"))
        #expect(request.subject.description.contains("ops@example.com"))
        let key = try Certificate.PrivateKey(pemEncoded: made.privateKeyPEM)
        #expect(key.publicKey == request.publicKey)
        #expect(throws: Never.self) { try NIOSSLPrivateKey(bytes: Array(made.privateKeyPEM.utf8), format: .pem) }
    }

    @Test("two requests have two keys")
    func fresh() throws {
        let keys = try (1...2).map { _ in try APNsCertificateRequest(commonName: "x").privateKeyPEM }
        #expect(keys[0] != keys[1])
    }

    @Test("a name that cannot stand in a certificate is refused", arguments: ["", String(repeating: "x", count: 65)])
    func name(name: String) {
        let error = #expect(throws: APNsCredentialError.self) { try APNsCertificateRequest(commonName: name) }
        #expect(error?.code == .invalidName)
    }
}
