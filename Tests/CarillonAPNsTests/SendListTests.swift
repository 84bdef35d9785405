import CarillonCore
import Foundation
import NIOCore
import NIOHPACK
import Synchronization
import TestSupport
import Testing

@testable import CarillonAPNs

@Suite("Notifications that are handed in together", .timeLimit(.minutes(5)))
struct SendListTests {
    let authority: TestAuthority
    let identity: TestAuthority.Issued

    init() throws {
        authority = try TestAuthority()
        identity = try authority.server(addresses: ["127.0.0.1"])
    }

    /// The reported events, in order.
    private final class Told: Sendable {
        private let calls = Mutex<[[(place: Int, result: Result<APNsOutcome, APNsError>)]]>([])
        var outcomes: [(place: Int, result: Result<APNsOutcome, APNsError>)] { calls.withLock { $0.flatMap(\.self) } }
        var count: Int { calls.withLock { $0.count } }
        var codes: Set<APNsError.Code> {
            Set(outcomes.compactMap { if case .failure(let error) = $0.result { error.code } else { nil } })
        }
        func add(_ outcomes: [(place: Int, result: Result<APNsOutcome, APNsError>)]) {
            calls.withLock { $0.append(outcomes) }
        }
    }

    @Test("have one outcome each at their places, and are told of several at once")
    func outcomes() async throws {
        let server = try await FrameServer.start(identity) { event, connection in
            guard case .request(let stream, let headers, _) = event else { return }
            if headers.first(name: "apns-id")?.hasSuffix("7") == true {
                connection.refuse(stream, status: 400, body: #"{"reason":"BadDeviceToken"}"#)
            } else {
                connection.accept(stream)
            }
        }
        let client = try authority.client(port: server.port)
        var list = try (0..<320).map { try TestValues.notification(number: $0) }
        list[5].topic = ""
        let told = Told()
        await client.send(list) { told.add($0) }
        #expect(told.outcomes.map(\.place).sorted() == Array(0..<320))
        let refused = told.outcomes.filter { if case .success(.rejected) = $0.result { true } else { false } }
        #expect(Set(refused.map(\.place)) == Set((0..<320).filter { $0 % 16 == 7 }))
        #expect(told.codes == [.invalidNotification] && told.outcomes.first?.place == 5)
        #expect(told.count < 320)
        await client.send([]) { told.add($0) }
        await client.shutdown()
        try await server.stop()
        await client.send(Array(list.prefix(2))) { told.add($0) }
        #expect(told.outcomes.count == 322 && told.codes == [.invalidNotification, .shutDown])
    }

    @Test("have an outcome too when their task is cancelled")
    func cancelled() async throws {
        let (requests, more) = AsyncStream.makeStream(of: Void.self)
        let server = try await FrameServer.start(identity) { event, _ in
            if case .request = event { more.yield() }
        }
        let client = try authority.client(port: server.port)
        let list = try (0..<40).map { try TestValues.notification(number: $0) }
        let told = Told()
        let task = Task { await client.send(list) { told.add($0) } }
        for await _ in requests.prefix(3) {}
        task.cancel()
        await task.value
        #expect(told.outcomes.map(\.place).sorted() == Array(0..<40))
        #expect(told.codes == [.cancelled])
        await client.shutdown()
        try await server.stop()
    }
}
