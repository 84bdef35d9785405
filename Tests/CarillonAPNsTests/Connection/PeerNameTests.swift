import CarillonAPNs
import CarillonCore
import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

/// Every way in which a server's certificate can be right or wrong, each against the client and against curl.
@Suite("The certificate of a server", .serialized, .timeLimit(.minutes(5)))
struct PeerNameTests {
    @Test("the client and curl agree on it, and a refused server gets no request", arguments: ServerCertificateCase.all)
    func verdict(_ wanted: ServerCertificateCase) async throws {
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
