import CarillonAPNs
import CarillonCore
import Foundation
import NIOHPACK
import NIOSSL
import SwiftASN1
import Synchronization
import TestSupport
import Testing
import X509

@Suite("Client certificates", .timeLimit(.minutes(5)))
struct CertificateTests {
    static let userID: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
    let authority: TestAuthority
    let issued: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        let subject = DistinguishedName([
            RelativeDistinguishedName(.init(type: Self.userID, utf8String: "com.example.chime")),
            RelativeDistinguishedName(
                .init(type: .RDNAttributeType.commonName, utf8String: "Apple Push Services: com.example.chime")),
        ])
        issued = try authority.issue(to: subject)
    }

    @Test("the topic is read from the certificate's UID")
    func topic() throws {
        let certificate = try APNsCertificate(
            certificatePEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM)
        #expect(certificate.bundleID == "com.example.chime")
        #expect(certificate.topics == ["com.example.chime"])
    }

    @Test("the end is said from 30 days before it, and not earlier")
    func end() throws {
        let certificate = try APNsCertificate(
            certificatePEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM)
        let end = certificate.validUntil
        #expect(certificate.warning(at: end - .seconds(30 * 86_400 + 1)) == nil)
        let soon = try #require(certificate.warning(at: end - .seconds(30 * 86_400)))
        #expect(soon == "The certificate for com.example.chime ends on \(end), in 30 days: renew it.")
        let late = try #require(certificate.warning(at: end))
        #expect(late == "The certificate for com.example.chime ended on \(end): APNs refuses it. Use a new one.")
    }

    @Test("Apple's list of topics is read where the certificate has one")
    func topics() throws {
        var serializer = DER.Serializer()
        try serializer.appendConstructedNode(identifier: .sequence) { coder in
            for topic in ["com.example.chime", "com.example.chime.voip"] {
                try coder.serialize(ASN1UTF8String(topic))
                try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(ASN1UTF8String("app")) }
            }
        }
        let list = Certificate.Extension(
            oid: [1, 2, 840, 113_635, 100, 6, 3, 6], critical: false, value: ArraySlice(serializer.serializedBytes))
        let issued = try authority.issue(to: try DistinguishedName { CommonName("x") }, extensions: [list])
        let certificate = try APNsCertificate(
            certificatePEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM)
        #expect(certificate.bundleID == nil)
        #expect(certificate.topics == ["com.example.chime", "com.example.chime.voip"])
    }

    @Test("a .p12 opens with its password, and with no other")
    func pkcs12() throws {
        let bundle = NIOSSLPKCS12Bundle(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(issued.certificatePEM.utf8)),
            privateKey: try NIOSSLPrivateKey(bytes: Array(issued.keyPEM.utf8), format: .pem))
        let file = Data(try bundle.serialize(passphrase: Array("secret".utf8)))
        #expect(try APNsCertificate(pkcs12: file, password: "secret").bundleID == "com.example.chime")
        for (file, password) in [(file, "wrong"), (Data([1, 2, 3]), "")] {
            let error = #expect(throws: APNsCredentialError.self) {
                try APNsCertificate(pkcs12: file, password: password)
            }
            #expect(error?.code == .unreadableArchive)
        }
    }

    @Test("a wrong file says what it is")
    func wrongFiles() {
        let error = mistake(issued.keyPEM, issued.keyPEM)
        #expect(error?.code == .isPrivateKey)
        #expect(error?.message.contains("only a private key") == true)
        let other = mistake(issued.certificatePEM, issued.certificatePEM)
        #expect(other?.code == .notAPrivateKey)
        #expect(other?.message.contains("no private key") == true)
    }

    @Test("each mistake with a certificate or its key has its code")
    func codes() {
        let broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"
        let encrypted = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----"
        let cutOff = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
        #expect(mistake("hello", issued.keyPEM)?.code == .notACertificate)
        #expect(mistake(broken, issued.keyPEM)?.code == .damaged)
        #expect(mistake(issued.certificatePEM, cutOff)?.code == .damaged)
        #expect(mistake(issued.certificatePEM, encrypted)?.code == .encrypted)
        #expect(mistake(issued.certificatePEM, encrypted, password: "wrong")?.code == .wrongPassword)
    }

    private func mistake(_ certificate: String, _ key: String, password: String? = nil) -> APNsCredentialError? {
        #expect(throws: APNsCredentialError.self) {
            try APNsCertificate(certificatePEM: certificate, privateKeyPEM: key, password: password)
        }
    }

    @Test("the server sees the certificate and no authorization header")
    func mutualTLS() async throws {
        let seen = Mutex<HPACKHeaders?>(nil)
        let server = try await FrameServer.start(
            try authority.server(addresses: ["127.0.0.1"]), clientRoots: authority.pem
        ) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            seen.withLock { $0 = headers }
            connection.accept(stream)
        }
        let certificate = try APNsCertificate(certificatePEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM)
        let client = try authority.client(port: server.port, credential: .certificate(certificate))
        let outcome = try await client.send(try TestValues.notification())
        #expect(outcome == .accepted(apnsID: TestValues.uuid(1), uniqueID: nil))
        #expect(seen.withLock { $0?.first(name: "authorization") } == nil)
        await client.shutdown()
        try await server.stop()
    }

    @Test("without a certificate such a server is not reached, and the error says why")
    func noCertificate() async throws {
        let server = try await FrameServer.start(
            try authority.server(addresses: ["127.0.0.1"]), clientRoots: authority.pem
        ) { _, _ in }
        let client = try authority.client(port: server.port, deadline: .seconds(2))
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(error?.mayHaveArrived == false || error?.code == .unknown)
        await client.shutdown()
        try await server.stop()
    }
}
