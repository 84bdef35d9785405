import CarillonCore
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing
import X509

@testable import CarillonAPNs

@Suite("A certificate's end is said before it comes", .timeLimit(.minutes(5)))
struct CertificateExpiryWarningTests {
    private func certificate() throws -> (APNsCertificate, TestAuthority) {
        let authority = try TestAuthority()
        let issued = try authority.issue(to: try DistinguishedName { CommonName("x") })
        return (
            try APNsCertificate(certificatePEM: issued.certificatePEM, privateKeyPEM: issued.keyPEM), authority
        )
    }

    @Test("once a day in the last 30 days, also when the clock was set back; never for a key")
    func daily() throws {
        let (certificate, _) = try certificate()
        let end = certificate.validUntil
        var watch = CertificateExpiryWarning(certificate)
        #expect(watch.warning(at: end - .seconds(31 * 86_400)) == nil)
        let first = end - .seconds(30 * 86_400)
        #expect(watch.warning(at: first)?.contains("in 30 days") == true)
        #expect(watch.warning(at: first + .seconds(86_399)) == nil)
        #expect(watch.warning(at: first + .seconds(86_400))?.contains("in 29 days") == true)
        #expect(watch.warning(at: first) != nil, "the clock was set back")
        #expect(watch.warning(at: end + .seconds(1))?.contains("ended on") == true)
        var key = CertificateExpiryWarning(nil)
        #expect(key.warning(at: end) == nil && key.interval == nil && watch.interval == .seconds(86_400))
    }

    @Test("a client that runs for months logs it every day, and no longer after its shutdown")
    func logged() async throws {
        let (certificate, authority) = try certificate()
        let server = try await FrameServer.start(try authority.server(addresses: ["127.0.0.1"])) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.accept(stream)
        }
        let clock = ManualClock(start: certificate.validUntil - .seconds(32 * 86_400))
        let log = WarningLog()
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: "127.0.0.1", port: server.port), credential: .certificate(certificate),
                trustRoots: .pem(authority.pem), clock: clock, seed: 1),
            logger: Logger(label: "test") { _ in log })
        _ = try await client.send(try TestValues.notification())
        for day in 1...4 {
            clock.advance(by: .seconds(86_400))
            // Whatever the clock has set going is done before this has its answer.
            _ = try await client.send(try TestValues.notification(number: day + 1))
        }
        let said = log.lines.withLock { $0 }
        #expect(said.count == 3)
        for (line, days) in zip(said, [30, 29, 28]) { #expect(line.contains("in \(days) days: renew it."), "\(line)") }
        await client.shutdown()
        clock.advance(by: .seconds(5 * 86_400))
        #expect(log.lines.withLock(\.count) == 3)
        try await server.stop()
    }
}

/// Keeps what is said of certificates.
private final class WarningLog: LogHandler, @unchecked Sendable {
    // `@unchecked`: the two properties that a handler must have are never set.
    let lines = Mutex<[String]>([])
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.warning

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        guard event.message == "the client certificate ends soon" else { return }
        lines.withLock { $0.append("\(event.metadata?["what"] ?? "")") }
    }
}
