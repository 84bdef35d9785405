import CarillonCore
import CarillonSimulator
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import CarillonAPNs

@Suite("A client against the simulator, which shares no protocol code with it", .timeLimit(.minutes(5)))
struct SimulatorTests {
    static let topic = "com.example.chime"

    struct Setup {
        let simulator: APNsSimulator
        let client: APNsClient
        let clock: any CarillonClock

        func notification(_ token: Data, number: Int = 1) throws -> APNsNotification {
            guard let deviceToken = DeviceToken(token) else { throw TestValues.Missing() }
            var notification = try TestValues.notification(number: number)
            notification.deviceToken = deviceToken
            return notification
        }

        func token(_ device: String) -> Data {
            simulator.devices.issueToken(device: device, topic: SimulatorTests.topic, environment: .sandbox)
        }

        func reason(_ notification: APNsNotification) async throws -> APNsReason? {
            guard case .rejected(let rejection) = try await client.send(notification) else { return nil }
            return rejection.reason
        }

        func end() async {
            await client.shutdown()
            await simulator.shutdown()
        }
    }

    private func start(
        clock: any CarillonClock = ManualClock(start: TestValues.start), clientClock: (any CarillonClock)? = nil,
        streams: Int = 1000, limits: APNsLimits = APNsLimits(), port: Int = 0
    ) async throws -> Setup {
        var configuration = SimulatorConfiguration(clock: clock, seed: 7, topics: [Self.topic])
        configuration.port = port
        configuration.concurrentStreams = streams
        let simulator = try await APNsSimulator.start(configuration, logger: TestValues.quiet)
        let key = try APNsSigningKey(
            pem: simulator.signingKeyPEM, keyID: simulator.keyID, teamID: simulator.teamID)
        let client = try APNsClient(
            configuration: APNsConfiguration(
                endpoint: APNsEndpoint(host: simulator.host, port: simulator.port), credential: .signingKey(key),
                trustRoots: .pem(simulator.caCertificatePEM), clock: clientClock ?? clock, seed: 1,
                defaultDeadline: .seconds(120), limits: limits),
            logger: TestValues.quiet)
        return Setup(simulator: simulator, client: client, clock: clock)
    }

    @Test("12: what is sent is what arrives, read by a server that was written apart")
    func arrives() async throws {
        let setup = try await start()
        let token = setup.token("phone")
        let (pushes, more) = AsyncStream.makeStream(of: SimulatorPush.self)
        setup.simulator.devices.connect(device: "phone") { more.yield($0) }
        var notification = try setup.notification(token)
        notification.collapseID = "m-1"
        notification.expiration = .at(TestValues.start + .seconds(3600))
        guard case .accepted(let apnsID, let uniqueID) = try await setup.client.send(notification) else {
            Issue.record("not accepted")
            return
        }
        #expect(apnsID == notification.apnsID)
        #expect(uniqueID != nil, "the sandbox returns apns-unique-id")
        var iterator = pushes.makeAsyncIterator()
        let push = try #require(await iterator.next())
        #expect(push.collapseID == "m-1" && push.apnsID == notification.apnsID && push.priority == 10)
        #expect(push.payload == Data(notification.payload.buffer.readableBytesView))
        await setup.end()
    }

    @Test("reasons come through with status and, for 410, the moment")
    func reasons() async throws {
        let clock = ManualClock(start: TestValues.start)
        let setup = try await start(clock: clock)
        let token = setup.token("phone")
        var notification = try setup.notification(token)
        notification.topic = "com.example.other"
        #expect(try await setup.reason(notification)?.remedy(status: 400) != .retryLater)
        #expect(try await setup.reason(try TestValues.notification(number: 99)) == .badDeviceToken)
        notification = try setup.notification(token)
        notification.payload = APNsPayload(Data("{}".utf8))
        #expect(try await setup.reason(notification) == .payloadEmpty)
        clock.advance(by: .seconds(60))
        setup.simulator.devices.invalidate(token)
        let gone = try await setup.client.send(try setup.notification(token))
        #expect(
            gone
                == .rejected(
                    APNsRejection(
                        reason: .unregistered, status: 410, timestamp: TestValues.start + .seconds(60),
                        apnsID: TestValues.uuid(1))))
        await setup.end()
    }

    @Test("three hundred concurrent sends are accepted, from one stream before the first token to many after it")
    func concurrent() async throws {
        let setup = try await start()
        let tokens = (0..<100).map { setup.token("phone-\($0)") }
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    let outcome = try await setup.client.send(
                        try setup.notification(tokens[number % 100], number: number))
                    return if case .accepted = outcome { true } else { false }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 300)
        #expect(setup.simulator.requests().count == 300, "each was sent once")
        await setup.end()
    }

    @Test("7: five hours of sending renew the token unnoticed: no push is rejected")
    func renewal() async throws {
        let clock = ManualClock(start: TestValues.start)
        let setup = try await start(clock: clock)
        let token = setup.token("phone")
        for number in 0..<60 {
            #expect(try await setup.reason(try setup.notification(token, number: number)) == nil)
            clock.advance(by: .seconds(300))
        }
        await setup.end()
    }

    @Test("a client whose clock is two hours slow is told ExpiredProviderToken, and does not storm")
    func slowClock() async throws {
        let slow = ManualClock(start: TestValues.start - .seconds(7200))
        let setup = try await start(clientClock: slow)
        let token = setup.token("phone")
        #expect(try await setup.reason(try setup.notification(token)) == .expiredProviderToken)
        #expect(setup.simulator.requests().count == 2, "one more, with a fresh token")
        #expect(try await setup.reason(try setup.notification(token)) == .expiredProviderToken)
        #expect(setup.simulator.requests().count == 3)
        slow.set(to: TestValues.start)
        #expect(try await setup.reason(try setup.notification(token)) == nil, "the clock is right: a new token at once")
        await setup.end()
    }

    @Test("1: GOAWAY in the middle of three hundred sends loses and doubles nothing")
    func goAway() async throws {
        let setup = try await start(clock: SystemClock(), streams: 50)
        let token = setup.token("phone")
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<300 {
                group.addTask {
                    if number.isMultiple(of: 75) { await setup.simulator.goAway(nil, closing: true) }
                    let outcome = try await setup.client.send(try setup.notification(token, number: number))
                    return if case .accepted = outcome { true } else { false }
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 300)
        #expect(Set(setup.simulator.requests().map(\.apnsID)).count == setup.simulator.requests().count)
        await setup.end()
    }

    @Test("cut connections make sends unknown, never lost: what is sent again with its id arrives")
    func cut() async throws {
        let setup = try await start(clock: SystemClock(), streams: 50)
        let token = setup.token("phone")
        let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    if number == 100 { await setup.simulator.closeAllConnections() }
                    let notification = try setup.notification(token, number: number)
                    for _ in 0..<5 {
                        do throws(APNsError) {
                            if case .accepted = try await setup.client.send(notification) { return true }
                        } catch {
                            #expect(error.code == .unknown)
                        }
                    }
                    return false
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(accepted == 200)
        await setup.end()
    }

    @Test("a server that is away for a while is waited for, up to the deadline")
    func away() async throws {
        // Below those that the system gives to whoever asks for any port: one of these may be taken while nobody listens.
        let port = 16_000 + Int(ProcessInfo.processInfo.processIdentifier) % 2_000
        let setup = try await start(clock: SystemClock(), port: port)
        let token = setup.token("phone")
        await setup.simulator.stopListening()
        async let outcome = setup.client.send(try setup.notification(token))
        let error = await #expect(throws: APNsError.self) {
            try await setup.client.send(try setup.notification(token, number: 2), deadline: .milliseconds(200))
        }
        #expect(error?.code == .notSent)
        try await setup.simulator.resumeListening()
        guard case .accepted = try await outcome else {
            Issue.record("not accepted")
            return
        }
        await setup.end()
    }

    @Test("the client's statistics say what the simulator saw")
    func statistics() async throws {
        let setup = try await start()
        let token = setup.token("phone")
        for number in 0..<5 { #expect(try await setup.reason(try setup.notification(token, number: number)) == nil) }
        for number in 0..<3 {
            #expect(try await setup.reason(try TestValues.notification(number: 90 + number)) == .badDeviceToken)
        }
        await setup.simulator.goAway(nil, closing: true)
        #expect(try await setup.reason(try setup.notification(token, number: 6)) == nil)
        await #expect(throws: APNsError.self) {
            try await setup.client.send(try setup.notification(token, number: 7), deadline: .zero)
        }
        let statistics = setup.client.statistics
        #expect(statistics.accepted == 6 && statistics.rejected == [.badDeviceToken: 3])
        #expect(statistics.failed == [.notSent: 1] && statistics.latency.count == 10)
        #expect(statistics.queued == 0 && statistics.inFlight == 0)
        #expect(statistics.goAways == 1 && statistics.connectionsOpened == 2 && statistics.providerTokens == 1)
        await setup.end()
        #expect(setup.client.statistics.connections == 0)
    }
}
