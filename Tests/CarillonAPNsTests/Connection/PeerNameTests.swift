import CarillonAPNs
import CarillonCore
import Crypto
import Foundation
import Logging
import SwiftASN1
import Synchronization
import TestSupport
import Testing
import X509

/// Every way in which a server's certificate can be right or wrong, each against the client and against curl.
@Suite("The certificate of a server", .serialized, .timeLimit(.minutes(5)))
struct PeerNameTests {
    /// A host, the certificate that a server shows for it, and whether the client may talk to that server.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var host = "apns.test"
        var isAccepted: Bool
        /// A part of the sentence with which it is refused.
        var why = "another host name"
        var issue: @Sendable (TestAuthority) throws -> TestAuthority.Issued
    }

    private static func named(
        _ title: String, host: String = "apns.test", _ isAccepted: Bool, names: [String] = [], addresses: [String] = [],
        commonName: String = "server"
    ) -> Case {
        Case(testDescription: title, host: host, isAccepted: isAccepted) { authority in
            let alternatives =
                names.map { GeneralName.dnsName($0) }
                + addresses.map { .ipAddress(ASN1OctetString(contentBytes: bytes(of: $0)[...])) }
            return try authority.issue(
                to: try DistinguishedName { CommonName(commonName) }, alternatives: alternatives)
        }
    }

    static let cases: [Case] = [
        named("its name", true, names: ["apns.test"]),
        named("its name among others", true, names: ["other.test", "apns.test"]),
        named("its name in capitals", true, names: ["APNS.Test"]),
        named("another name", false, names: ["other.test"]),
        named("a name that begins alike", false, names: ["apns.test.example"]),
        named("a name that ends alike", false, names: ["x-apns.test"]),
        named("the server's address for a name", false, addresses: ["127.0.0.1"]),
        named("the server's address beside another name", false, names: ["other.test"], addresses: ["127.0.0.1"]),
        named("an address", host: "127.0.0.1", true, addresses: ["127.0.0.1"]),
        named("another address", host: "127.0.0.1", false, addresses: ["127.0.0.2"]),
        named("a name for an address", host: "127.0.0.1", false, names: ["127.0.0.1"]),
        named("an address of version 6", host: "::1", true, addresses: ["::1"]),
        named("another address of version 6", host: "::1", false, addresses: ["::2"]),
        named("a wildcard for one label", host: "api.push.test", true, names: ["*.push.test"]),
        named("a wildcard for two labels", host: "a.api.push.test", false, names: ["*.push.test"]),
        named("a wildcard for no label", host: "push.test", false, names: ["*.push.test"]),
        named("a wildcard below a top-level domain", false, names: ["*.test"]),
        named("a wildcard alone", false, names: ["*"]),
        named("a wildcard in a label", host: "api.push.test", false, names: ["a*.push.test"]),
        named("a wildcard that is not first", host: "api.push.test", false, names: ["api.*.test"]),
        named("a wildcard for an address", host: "127.0.0.1", false, names: ["*.0.0.1"]),
        named("a name beyond ASCII", host: "xn--bcher-kva.test", true, names: ["xn--bcher-kva.test"]),
        named("a host with a trailing dot", host: "apns.test.", true, names: ["apns.test"]),
        named("a name with a trailing dot", true, names: ["apns.test."]),
        named("a name with an underscore", host: "my_apns.test", true, names: ["my_apns.test"]),
        named("a common name and no alternative", true, commonName: "apns.test"),
        named("a common name beside another name", false, names: ["other.test"], commonName: "apns.test"),
        named("a common name beside an address", false, addresses: ["127.0.0.1"], commonName: "apns.test"),
        Case(testDescription: "an empty subject", isAccepted: true) {
            try $0.issue(to: DistinguishedName(), alternatives: [.dnsName("apns.test")])
        },
        Case(testDescription: "a common name beside a mail address", isAccepted: true) {
            try $0.issue(
                to: try DistinguishedName { CommonName("apns.test") }, alternatives: [.rfc822Name("a@apns.test")])
        },
        Case(testDescription: "an expired certificate", isAccepted: false, why: "ended on 2024-01-01") {
            try $0.issue(to: server, alternatives: right, until: Date(timeIntervalSince1970: 1_704_067_200))
        },
        Case(testDescription: "one that is not valid yet", isAccepted: false, why: "not valid before 2096") {
            try $0.issue(to: server, alternatives: right, from: Date(timeIntervalSince1970: 3_999_000_000))
        },
        Case(testDescription: "one for clients", isAccepted: false, why: "is not for servers") {
            try $0.issue(
                to: server, alternatives: right,
                extensions: [Certificate.Extension(try ExtendedKeyUsage([.clientAuth]), critical: true)])
        },
        Case(testDescription: "one that signs itself", isAccepted: false, why: "trusted authority") { _ in
            let key = P256.Signing.PrivateKey()
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: TestAuthority.from,
                notValidAfter: TestAuthority.until, issuer: server, subject: server,
                signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try .init { SubjectAlternativeNames(right) }, issuerPrivateKey: .init(key))
            return TestAuthority.Issued(
                certificatePEM: try certificate.serializeAsPEM().pemString, keyPEM: key.pemRepresentation)
        },
        Case(
            testDescription: "a list of names that cannot be read", isAccepted: false,
            why: "names in the server's certificate cannot be read"
        ) {
            try $0.issue(
                to: server,
                extensions: [
                    .init(oid: .X509ExtensionID.subjectAlternativeName, critical: false, value: [0x30, 2, 2, 9])
                ])
        },
        Case(testDescription: "another authority's", isAccepted: false, why: "trusted authority") { _ in
            try TestAuthority(name: "Stranger").issue(to: server, alternatives: right)
        },
        Case(testDescription: "without the intermediate's", isAccepted: false, why: "trusted authority") {
            try TestAuthority(name: "Intermediate", below: $0).issue(to: server, alternatives: right)
        },
        Case(testDescription: "with the intermediate's", isAccepted: true) {
            let intermediate = try TestAuthority(name: "Intermediate", below: $0)
            let issued = try intermediate.issue(to: server, alternatives: right)
            return TestAuthority.Issued(
                certificatePEM: issued.certificatePEM + "\n" + intermediate.pem, keyPEM: issued.keyPEM)
        },
    ]

    private static let right = [GeneralName.dnsName("apns.test")]
    private static var server: DistinguishedName { get throws { try DistinguishedName { CommonName("server") } } }

    private static func bytes(of address: String) -> [UInt8] {
        guard address.contains(":") else { return address.split(separator: ".").compactMap { UInt8($0) } }
        return [UInt8](repeating: 0, count: 15) + [UInt8(address.split(separator: ":").last ?? "") ?? 0]
    }

    @Test("the client and curl agree on it, and a refused server gets no request", arguments: cases)
    func verdict(_ wanted: Case) async throws {
        let authority = try TestAuthority()
        let requests = Mutex(0)
        let server = try await FrameServer.start(try wanted.issue(authority)) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            requests.withLock { $0 += 1 }
            connection.accept(stream)
        }
        let refusal = try await refusal(of: wanted.host, port: server.port, authority)
        #expect((refusal == nil) == wanted.isAccepted, "the client says \(refusal ?? "nothing")")
        if let refusal { #expect(refusal.contains(wanted.why), "\(refusal)") }
        #expect(requests.withLock { $0 } == (wanted.isAccepted ? 1 : 0))
        let curl = try await curl(wanted.host, port: server.port, authority)
        #expect(!Self.notTrusted.contains(curl.status) == wanted.isAccepted, "curl says \(curl.status) \(curl.errors)")
        try await server.stop()
    }

    /// Sends a push to the host.
    ///
    /// - Returns: why the client did not talk to the server; `nil` when APNs' answer came.
    private func refusal(of host: String, port: Int, _ authority: TestAuthority) async throws -> String? {
        let (problems, log) = ConnectionProblems.logger()
        var configuration = APNsConfiguration(
            endpoint: APNsEndpoint(host: host, port: port), credential: .signingKey(try TestValues.signingKey()),
            trustRoots: .pem(authority.pem), clock: SystemClock(), seed: 1, defaultDeadline: .seconds(120))
        configuration.resolvedAddresses = ["127.0.0.1"]
        let client = try APNsClient(configuration: configuration, logger: log)
        let notification = try TestValues.notification()
        let refusal = try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                _ = try await client.send(notification)
                return nil
            }
            group.addTask { await problems.first { _ in true } ?? "nothing was logged" }
            defer { group.cancelAll() }
            return try await group.next() ?? "no answer"
        }
        await client.shutdown()
        return refusal
    }

    private func curl(_ host: String, port: Int, _ authority: TestAuthority) async throws -> ProgramRun {
        let folder = try TemporaryFolder()
        let ca = folder.url.appending(path: "ca.pem")
        try Data(authority.pem.utf8).write(to: ca)
        let name = host.contains(":") ? "[\(host)]" : host
        return try await ProgramRun.of(
            URL(filePath: "/usr/bin/curl"),
            [
                "--silent", "--show-error", "--http2", "--cacert", ca.path, "--connect-to", "::127.0.0.1:\(port)",
                "--max-time", "60", "https://\(name):\(port)/",
            ])
    }

    /// curl's exit statuses for a peer whose certificate or name was not accepted, or whose certificate is no certificate.
    private static let notTrusted: Set<Int32> = [60, 35]
}

/// Hands on why connections could not be made.
private struct ConnectionProblems: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace
    let why: AsyncStream<String>.Continuation

    static func logger() -> (AsyncStream<String>, Logger) {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        return (stream, Logger(label: "test") { _ in ConnectionProblems(why: continuation) })
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        if let why = event.metadata?["why"] { self.why.yield("\(why)") }
    }
}
