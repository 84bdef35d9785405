import CarillonCore
import Foundation
import NIOCore
import NIOHTTP2
import Synchronization
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("Servers that go too far", .timeLimit(.minutes(5)))
struct ViolationTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(addresses: ["127.0.0.1"])
    }

    @Test(
        "a server that breaks a rule of HTTP/2 is told and left at once: what was in flight is unknown, what comes next arrives"
    )
    func violation() async throws {
        let first = Mutex(true)
        let told = AsyncStream.makeStream(of: Void.self)
        let server = try await FrameServer.start(identity) { event, connection in
            if case .goAway = event { told.continuation.yield() }
            guard case .request(let stream, _, _) = event else { return }
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            // RST_STREAM for a stream that was never opened.
            if isFirst { connection.sendRaw(reset: 77) } else { connection.accept(stream) }
        }
        let client = try authority.client(port: server.port)
        let error = await #expect(throws: APNsError.self) { try await client.send(try TestValues.notification()) }
        #expect(
            error?.code == .unknown && error?.message.contains("PROTOCOL_ERROR") == true, "\(String(describing: error))"
        )
        var goAways = told.stream.makeAsyncIterator()
        #expect(await goAways.next() != nil)
        for number in 2...5 {
            let outcome = try await client.send(try TestValues.notification(number: number))
            #expect(outcome == .accepted(apnsID: TestValues.uuid(number), uniqueID: nil))
        }
        await client.shutdown()
        try await server.stop()
    }

    @Test("long refusals do not use up the connection's window")
    func window() async throws {
        let filler = String(repeating: "x", count: 3000)
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, _, _) = event else { return }
            connection.refuse(stream, status: 400, body: #"{"reason":"BadTopic","filler":"\#(filler)"}"#)
        }
        let client = try authority.client(port: server.port)
        for number in 1...100 {
            let outcome = try await client.send(try TestValues.notification(number: number))
            guard case .rejected(let rejection) = outcome, rejection.reason == .badTopic else {
                Issue.record("unexpected: \(outcome)")
                break
            }
        }
        #expect(server.connections.withLock(\.count) == 1)
        await client.shutdown()
        try await server.stop()
    }
}
