import CarillonCore
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import Synchronization
import TestSupport
import Testing
import X509

@testable import CarillonAPNs

@Suite("Servers, addresses and proxies that do not answer", .timeLimit(.minutes(5)))
struct ConnectFaultTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(names: ["apns.test"], addresses: ["127.0.0.1"])
    }

    private func client(
        port: Int, addresses: [String]? = nil, proxy: String? = nil, clock: any CarillonClock = SystemClock(),
        connectTimeout: Duration? = nil
    ) throws -> APNsClient {
        var configuration = APNsConfiguration(
            endpoint: APNsEndpoint(host: "apns.test", port: port), credential: .signingKey(try TestValues.signingKey()),
            trustRoots: .pem(authority.pem), clock: clock, seed: 1, defaultDeadline: .seconds(120),
            proxy: try proxy.map { try APNsProxy(url: $0) })
        configuration.resolvedAddresses = addresses
        if let connectTimeout { configuration.limits.connectTimeout = connectTimeout }
        return try APNsClient(configuration: configuration, logger: TestValues.quiet)
    }

    private func accepting(port: Int) async throws -> FrameServer {
        try await FrameServer.start(identity, port: port) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.accept(stream)
        }
    }

    @Test("a server that allows no streams on its first connection is named, and the second connection delivers")
    func noStreams() async throws {
        let (opened, more) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let none = [HTTP2Setting(parameter: .maxConcurrentStreams, value: 0)]
        let server = try await FrameServer.start(identity, settings: none) { event, connection in
            switch event {
            case .opened:
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > 1 { connection.settings([HTTP2Setting(parameter: .maxConcurrentStreams, value: 10)]) }
                more.yield()
            case .request(let stream, _, _): connection.accept(stream)
            default: break
            }
        }
        let clock = ManualClock(start: TestValues.start)
        let client = try client(port: server.port, addresses: ["127.0.0.1"], clock: clock)
        let first = Task { try await client.send(try TestValues.notification(), deadline: .seconds(5)) }
        for await _ in opened { break }
        // The client has seen the SETTINGS when it has nothing more to connect.
        while client.statistics.connectionsOpened == 0 { await Task.yield() }
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: APNsError.self) { try await first.value }
        #expect(error?.code == .notSent && error?.message.contains("MAX_CONCURRENT_STREAMS is 0") == true)
        clock.advance(by: .seconds(2))
        let second = try await client.send(try TestValues.notification(number: 2))
        #expect(second == .accepted(apnsID: TestValues.uuid(2), uniqueID: nil))
        await client.shutdown()
        try await server.stop()
    }

    @Test(
        "an address that accepts a connection and says nothing is named, and the next attempt takes the other address")
    func muteAddress() async throws {
        let mute = try await PlainServer.start(host: "127.0.0.2")
        let clock = ManualClock(start: TestValues.start)
        // Nothing listens at the first one: the race between addresses sees to that.
        let client = try client(
            port: mute.port, addresses: ["127.0.0.3", "127.0.0.2", "127.0.0.1"], clock: clock)
        let impatient = Task { try await client.send(try TestValues.notification(number: 1), deadline: .seconds(5)) }
        // The push that connects is the impatient one, so its deadline is counted from before the clock moves.
        for await _ in mute.heard { break }
        // Only now, since on a busy machine the race would go on to this address.
        let server = try await accepting(port: mute.port)
        let patient = Task { try await client.send(try TestValues.notification(number: 2)) }
        clock.advance(by: .seconds(5))
        let error = await #expect(throws: APNsError.self) { try await impatient.value }
        #expect(
            error?.message.contains(
                "127.0.0.2:\(server.port) accepted the connection and did not answer in the TLS handshake within 5 s")
                == true, "\(error?.message ?? "")")
        clock.advance(by: .seconds(5))
        while client.statistics.connectionsFailed == 0 { await Task.yield() }
        clock.advance(by: .seconds(1))
        // The client sets its timer a moment after it has counted the failure, perhaps only now: another push has it look.
        let third = try await client.send(try TestValues.notification(number: 3))
        #expect(third == .accepted(apnsID: TestValues.uuid(3), uniqueID: nil))
        #expect(try await patient.value == .accepted(apnsID: TestValues.uuid(2), uniqueID: nil))
        await client.shutdown()
        try await mute.stop()
        try await server.stop()
    }

    @Test("addresses that refuse a connection are all named with the reason")
    func refusedAddresses() async throws {
        let client = try client(port: 1, addresses: ["127.0.0.2", "127.0.0.1"])
        let error = await #expect(throws: APNsError.self) {
            try await client.send(try TestValues.notification(), deadline: .seconds(2))
        }
        #expect(
            error?.message.contains(
                "connection refused: nothing listens on that port (127.0.0.2:1, 127.0.0.1:1)") == true,
            "\(error?.message ?? "")")
        await client.shutdown()
    }

    @Test("a proxy that says nothing is named when the push ends, before the attempt does")
    func silentProxy() async throws {
        let proxy = try await PlainServer.start()
        let clock = ManualClock(start: TestValues.start)
        let client = try client(port: 443, proxy: "http://127.0.0.1:\(proxy.port)", clock: clock)
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .seconds(3)) }
        for await _ in proxy.heard { break }
        clock.advance(by: .seconds(3))
        let error = await #expect(throws: APNsError.self) { try await sent.value }
        #expect(
            error?.message.contains("the proxy 127.0.0.1:\(proxy.port) did not answer CONNECT within 3 s") == true,
            "\(error?.message ?? "")")
        await client.shutdown()
        try await proxy.stop()
    }

    @Test(
        "a proxy that does not speak HTTP is named as that, at once",
        arguments: [
            ("SSH-2.0-OpenSSH_9.2\r\n", ""), ("", "\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}P"), ("", "220 mail ESMTP\r\n"),
            ("", "HTTP/1.1 2x0 OK\r\n\r\n"),
        ])
    func otherProtocol(greeting: String, reply: String) async throws {
        let proxy = try await PlainServer.start(greeting: greeting, reply: reply)
        let clock = ManualClock(start: TestValues.start)
        // A busy machine may take long to connect, by its own clock.
        let client = try client(
            port: 443, proxy: "http://127.0.0.1:\(proxy.port)", clock: clock, connectTimeout: .seconds(240))
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .milliseconds(1)) }
        // The clock stands still: only the proxy's bytes can have ended the attempt.
        while client.statistics.connectionsFailed == 0 { await Task.yield() }
        clock.advance(by: .milliseconds(1))
        let error = await #expect(throws: APNsError.self) { try await sent.value }
        #expect(
            error?.message.contains("the proxy 127.0.0.1:\(proxy.port) does not speak HTTP") == true,
            "\(error?.message ?? "")")
        await client.shutdown()
        try await proxy.stop()
    }

    @Test(
        "a proxy's 200 to CONNECT opens the tunnel, whatever it says of a body",
        arguments: [
            "Content-Length: 5", "Content-Length: 0\r\nTransfer-Encoding: chunked", "Content-Length: none",
            "Transfer-Encoding: gzip", "Content-Length: 3\r\nContent-Length: 4",
        ])
    func oddLength(fields: String) async throws {
        let proxy = try await PlainServer.start(reply: "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n")
        let clock = ManualClock(start: TestValues.start)
        let client = try client(
            port: 443, proxy: "http://127.0.0.1:\(proxy.port)", clock: clock, connectTimeout: .seconds(240))
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .seconds(60)) }
        for await _ in proxy.heard { break }
        // The server hears CONNECT and then the beginning of TLS, or nothing more.
        while proxy.byteCount < 200, client.statistics.connectionsFailed == 0 { await Task.yield() }
        #expect(client.statistics.connectionsFailed == 0, "the tunnel is open, and TLS begins")
        sent.cancel()
        _ = await sent.result
        await client.shutdown()
        try await proxy.stop()
    }

    @Test("names whose look-up hangs delay no other name, and are not looked up without end")
    func hangingLookUps() async throws {
        let goesOn = DispatchSemaphore(value: 0)
        let lookUp = HostLookUp { host, port in
            if host.hasPrefix("hangs") { goesOn.wait() }
            return [try SocketAddress(ipAddress: "192.0.2.1", port: port)]
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let hanging = (0..<40).map { lookUp.addresses(of: "hangs\($0)", port: 1, on: loop) }
        let one = (0..<ClientLimits.lookUpsOfOneName).map { _ in lookUp.addresses(of: "hangs", port: 1, on: loop) }
        let found = try await lookUp.addresses(of: "answers", port: 443, on: loop).get()
        #expect(found.map(\.port) == [443])
        let error = await #expect(throws: HostLookUp.Failure.self) {
            try await lookUp.addresses(of: "hangs", port: 1, on: loop).get()
        }
        #expect(error?.description.contains("still have no answer") == true)
        for _ in hanging + one { goesOn.signal() }
        for future in hanging + one { _ = try await future.get() }
        // A thread ends its look-up before it tells of it.
        #expect(try await lookUp.addresses(of: "answers", port: 443, on: loop).get().count == 1)
    }

    @Test("a tunnel behind which nothing answers names the endpoint and the proxy")
    func silentTunnel() async throws {
        let proxy = try await PlainServer.start(reply: "HTTP/1.1 200 Connection established\r\n\r\n")
        let clock = ManualClock(start: TestValues.start)
        let client = try client(port: 443, proxy: "http://127.0.0.1:\(proxy.port)", clock: clock)
        let sent = Task { try await client.send(try TestValues.notification(), deadline: .seconds(60)) }
        for await _ in proxy.heard { break }
        while client.statistics.connectionsFailed == 0 {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        clock.advance(by: .seconds(60))
        let error = await #expect(throws: APNsError.self) { try await sent.value }
        #expect(error?.code == .notSent)
        await client.shutdown()
        try await proxy.stop()
    }

    @Test(
        "a deadline is heard of, also if a test's clock passes it while the client sets its timer",
        .timeLimit(.minutes(5)))
    func leap() async throws {
        let proxy = try await PlainServer.start(reply: "")
        let client = try client(port: 443, proxy: "http://127.0.0.1:\(proxy.port)", clock: LeapingClock())
        let error = await #expect(throws: APNsError.self) {
            try await client.send(try TestValues.notification(), deadline: .seconds(5))
        }
        #expect(error?.code == .notSent)
        await client.shutdown()
        try await proxy.stop()
    }

    /// A clock that moves on by a minute whenever an action is scheduled, and stands still otherwise.
    private final class LeapingClock: CarillonClock {
        private let clock = ManualClock(start: TestValues.start)

        var now: Timestamp { clock.now }
        var uptime: Duration { clock.uptime }

        func schedule(at deadline: Timestamp, _ action: @escaping @Sendable () -> Void) -> ScheduledAction {
            clock.advance(by: .seconds(60))
            return clock.schedule(at: deadline, action)
        }
    }

    @Test("each fault of a server's certificate has its code and its advice")
    func distrust() async throws {
        let subject = try DistinguishedName { CommonName("server") }
        let right = [GeneralName.dnsName("apns.test")]
        let cases: [(APNsError.Code, String, TestAuthority.Issued)] = [
            (.untrustedAuthority, "trustRoots", try TestAuthority().issue(to: subject, alternatives: right)),
            (
                .otherHostName, "Use the host name",
                try authority.issue(to: subject, alternatives: [.dnsName("other.test")])
            ),
            (
                .invalidServerCertificate, "date -u",
                try authority.issue(to: subject, alternatives: right, until: Date(timeIntervalSince1970: 1_700_000_001))
            ),
            (
                .invalidServerCertificate, "wait until",
                try authority.issue(to: subject, alternatives: right, from: TestAuthority.until - 1)
            ),
            (
                .invalidServerCertificate, "serverAuth",
                try authority.issue(
                    to: subject, alternatives: right,
                    extensions: [.init(try ExtendedKeyUsage([.clientAuth]), critical: false)])
            ),
        ]
        for (code, advice, identity) in cases {
            let server = try await FrameServer.start(identity) { _, _ in }
            let client = try client(port: server.port, addresses: ["127.0.0.1"])
            let error = await #expect(throws: APNsError.self) {
                try await client.send(try TestValues.notification(), deadline: .seconds(1))
            }
            #expect(error?.code == code && error?.advice.contains(advice) == true, "\(error.debugDescription)")
            #expect(error?.message.contains("127.0.0.1:\(server.port): ") == true, "\(error.debugDescription)")
            if code == .otherHostName { #expect(error?.message.contains("(other.test)") == true) }
            await client.shutdown()
            try await server.stop()
        }
    }

    @Test("addresses take turns by family, and those that failed last come last")
    func order() throws {
        func address(_ text: String) throws -> SocketAddress { try SocketAddress(ipAddress: text, port: 443) }
        let all = try ["2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2", "192.0.2.3"].map(address)
        var order = AddressOrder()
        func sorted() -> [String] { order.sorted(all).compactMap(\.ipAddress) }
        #expect(sorted() == ["2001:db8::1", "192.0.2.1", "2001:db8::2", "192.0.2.2", "192.0.2.3"])
        order.failed(try address("2001:db8::1"))
        order.failed(try address("192.0.2.1"))
        #expect(sorted() == ["2001:db8::2", "192.0.2.2", "192.0.2.3", "2001:db8::1", "192.0.2.1"])
        order.failed(try address("2001:db8::1"))
        #expect(sorted().suffix(2) == ["192.0.2.1", "2001:db8::1"])
        order.worked(try address("192.0.2.1"))
        #expect(sorted().first == "192.0.2.1")
        for number in 0..<1000 { order.failed(try address("192.0.2.\(number % 250)")) }
        #expect(sorted().count == 5)
    }
}
