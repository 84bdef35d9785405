import CarillonAPNs
import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@Suite("A client against a server over TLS and HTTP/2", .timeLimit(.minutes(5)))
struct RoundTripTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(names: ["localhost"], addresses: ["127.0.0.1"])
    }

    @Test("an accepted push carries Apple's headers and returns the ids of the answer")
    func accepted() async throws {
        let seen = Mutex<HPACKHeaders?>(nil)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            seen.withLock { $0 = headers }
            connection.accept(
                stream, headers: [("apns-id", TestValues.uuid(7).uuidString), ("apns-unique-id", "u-1")])
        }
        let client = try authority.client(port: server.port)
        var notification = try TestValues.notification(collapseID: "m-1")
        notification.expiration = .oneAttempt
        let outcome = try await client.send(notification)
        #expect(outcome == .accepted(apnsID: TestValues.uuid(7), uniqueID: "u-1"))
        let headers = try #require(seen.withLock { $0 })
        #expect(headers.first(name: ":path") == "/3/device/" + notification.deviceToken.hex)
        #expect(headers.first(name: "apns-topic") == "com.example.chime")
        #expect(headers.first(name: "apns-push-type") == "alert")
        #expect(headers.first(name: "apns-id") == notification.apnsID.uuidString.lowercased())
        #expect(headers.first(name: "apns-priority") == "10")
        #expect(headers.first(name: "apns-expiration") == "0")
        #expect(headers.first(name: "apns-collapse-id") == "m-1")
        #expect(headers.first(name: "authorization")?.hasPrefix("bearer ey") == true)
        await client.shutdown()
        try await server.stop()
    }

    @Test("a rejection is a result with reason, status and timestamp")
    func rejected() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.refuse(stream, status: 410, body: #"{"reason":"Unregistered","timestamp":1700000000123}"#)
        }
        let client = try authority.client(port: server.port)
        let outcome = try await client.send(try TestValues.notification(number: 9))
        #expect(
            outcome
                == .rejected(
                    APNsRejection(
                        reason: .unregistered, status: 410,
                        timestamp: Timestamp(millisecondsSince1970: 1_700_000_000_123),
                        apnsID: TestValues.uuid(9))))
        await client.shutdown()
        try await server.stop()
    }

    @Test("three hundred concurrent sends all have their own answer over one connection")
    func concurrent() async throws {
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .maxConcurrentStreams, value: 100)]
        ) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            connection.accept(stream, headers: [("apns-id", headers.first(name: "apns-id") ?? "")])
        }
        var limits = APNsLimits()
        limits.connections = 1
        let client = try authority.client(port: server.port, limits: limits)
        let ids = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...300 {
                group.addTask {
                    let outcome = try await client.send(try TestValues.notification(number: number))
                    return outcome == .accepted(apnsID: TestValues.uuid(number), uniqueID: nil)
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(ids == 300)
        #expect(server.connections.withLock(\.count) == 1)
        await client.shutdown()
        try await server.stop()
    }

    @Test("a connection that is lost is replaced; what was in flight is unknown, what comes next is sent")
    func reconnects() async throws {
        let closed = Mutex(false)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            let isFirst = closed.withLock { closed in
                defer { closed = true }
                return !closed
            }
            if isFirst { connection.close() } else { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(error?.code == .unknown)
        #expect(error?.mayHaveArrived == true)
        let outcome = try await client.send(try TestValues.notification(number: 2))
        #expect(outcome == .accepted(apnsID: TestValues.uuid(2), uniqueID: nil))
        await client.shutdown()
        try await server.stop()
    }

    @Test("a server whose certificate is for another name is not talked to")
    func hostname() async throws {
        let requests = Mutex(0)
        let other = try authority.server(names: ["other.example"])
        let server = try await FrameServer.start(other) { event, _ in
            if case .request = event { requests.withLock { $0 += 1 } }
        }
        for host in ["localhost", "127.0.0.1"] {
            let client = try authority.client(port: server.port, host: host, deadline: .seconds(2))
            let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
            #expect(error?.code == .otherHostName && error?.mayHaveArrived == false)
            #expect(error?.message.contains("another host name") == true, "\(error?.message ?? "")")
            await client.shutdown()
        }
        #expect(requests.withLock { $0 } == 0)
        try await server.stop()
    }

    @Test("a server whose certificate another authority signed is not talked to")
    func authorities() async throws {
        let stranger = try TestAuthority()
        let server = try await FrameServer.start(try stranger.server(addresses: ["127.0.0.1"])) { _, _ in }
        let client = try authority.client(port: server.port, deadline: .seconds(2))
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(error?.code == .untrustedAuthority && error?.mayHaveArrived == false)
        #expect(error?.message.contains("trusted authority") == true, "\(error?.message ?? "")")
        await client.shutdown()
        try await server.stop()
    }

    @Test("a small window lets a large payload through, bit by bit")
    func flowControl() async throws {
        let received = Mutex(0)
        let server = try await FrameServer.start(
            identity, settings: [HTTP2Setting(parameter: .initialWindowSize, value: 100)]
        ) { event, connection in
            guard case .request(let stream, _, let body) = event else { return }
            received.withLock { $0 += body.readableBytes }
            connection.accept(stream)
        }
        let client = try authority.client(port: server.port)
        for number in 1...5 {
            var notification = try TestValues.notification(number: number)
            notification.payload = APNsPayload(Data(repeating: 0x20, count: 4096))
            let outcome = try await client.send(notification)
            #expect(outcome == .accepted(apnsID: TestValues.uuid(number), uniqueID: nil))
        }
        #expect(received.withLock { $0 } == 5 * 4096)
        await client.shutdown()
        try await server.stop()
    }

    @Test("after a shutdown nothing is sent, and the error says so")
    func afterShutdown() async throws {
        let client = try authority.client(port: 1)
        await client.shutdown()
        await client.shutdown()
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(error?.code == .shutDown)
        #expect(error?.mayHaveArrived == false)
    }
}
